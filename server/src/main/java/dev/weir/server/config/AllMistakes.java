package dev.weir.server.config;

import dev.weir.config.ConfigException;
import dev.weir.server.policy.DefinitionFields;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Finds every mistake of an object whose reader stops at the first: tells it, mends the field in a
 * copy, and reads again. A field that is mended and still wrong is taken out.
 */
final class AllMistakes {

  private static final int MOST = 100;
  private static final String MINUTE = "1m";

  /** What stands for a wrong value of fields that must be there, so that the others are read. */
  private static final Map<String, Object> STAND_INS =
      Map.ofEntries(
          Map.entry("name", "mended"),
          Map.entry("limit", 1),
          Map.entry("capacity", 1),
          Map.entry("refillTokens", 1),
          Map.entry("refillPeriod", MINUTE),
          Map.entry("window", MINUTE),
          Map.entry("leakPermits", 1),
          Map.entry("leakPeriod", MINUTE),
          Map.entry("permits", 1),
          Map.entry("lease", MINUTE),
          Map.entry("unit", "day"),
          Map.entry("zone", "UTC"),
          Map.entry("cost", 1),
          Map.entry("by", "user"),
          Map.entry("role", "decide"));

  private static final Map<String, Object> ANY_LIMIT =
      Map.of("algorithm", "concurrency", "permits", 1, "lease", MINUTE);

  private AllMistakes() {}

  /**
   * Reads an object.
   *
   * @param reader throws {@link ConfigException} for the first mistake
   * @param told the path of each field that is wrong, and what is wrong with it
   * @return what was read, if nothing is wrong
   */
  static <T> Optional<T> read(
      @Nullable Object object,
      Function<@Nullable Object, T> reader,
      BiConsumer<String, String> told) {
    Object copy = copy(object);
    Map<String, Integer> attempts = new HashMap<>();
    for (int i = 0; i < MOST; i++) {
      try {
        T read = reader.apply(copy);
        return attempts.isEmpty() ? Optional.of(read) : Optional.empty();
      } catch (ConfigException e) {
        int attempt = attempts.merge(e.field(), 1, Integer::sum);
        // What was told of a part may be the only reason why the whole is wrong now.
        if (attempt == 1 && attempts.keySet().stream().noneMatch(it -> isPart(it, e.field()))) {
          told.accept(e.field(), plain(e));
        }
        if (!mend(copy, e.field(), attempt)) {
          return Optional.empty();
        }
      }
    }
    return Optional.empty();
  }

  private static boolean isPart(String path, String whole) {
    return !whole.isEmpty() && (path.startsWith(whole + ".") || path.startsWith(whole + "["));
  }

  /** What is wrong, without the name of the field, which stands before it. */
  private static String plain(ConfigException e) {
    String problem = DefinitionFields.problem(e);
    String name = e.field().substring(e.field().lastIndexOf('.') + 1);
    for (String start : List.of(name + " ", "this ")) {
      if (start.length() > 1 && problem.startsWith(start)) {
        return problem.substring(start.length());
      }
    }
    return problem;
  }

  private static @Nullable Object copy(@Nullable Object object) {
    if (object instanceof Map<?, ?> map) {
      Map<Object, @Nullable Object> copied = new LinkedHashMap<>();
      map.forEach((name, value) -> copied.put(name, copy(value)));
      return copied;
    }
    if (object instanceof List<?> list) {
      List<@Nullable Object> copied = new ArrayList<>();
      list.forEach(entry -> copied.add(copy(entry)));
      return copied;
    }
    return object;
  }

  @SuppressWarnings("unchecked") // The copies are maps of anything.
  private static boolean mend(@Nullable Object root, String path, int attempt) {
    int cut = Math.max(path.lastIndexOf('.'), path.lastIndexOf('['));
    Object parent = find(root, path.substring(0, Math.max(0, cut)));
    String name = path.substring(cut + 1);
    if (parent instanceof List<?> list && name.endsWith("]")) {
      int index = Integer.parseInt(name.substring(0, name.length() - 1));
      // A limit or policy that is no object stands alone; its neighbours keep their places.
      return attempt == 1 && index < list.size() && isText(list, index);
    }
    if (!(parent instanceof Map)) {
      return false;
    }
    Map<Object, @Nullable Object> fields = (Map<Object, @Nullable Object>) parent;
    if (attempt == 1 && name.equals("algorithm")) {
      fields.clear();
      fields.putAll(ANY_LIMIT);
      return true;
    }
    if (attempt == 1 && path.equals("limits")) {
      fields.put(name, new ArrayList<>(List.of(new LinkedHashMap<>(ANY_LIMIT))));
      return true;
    }
    Object standIn = STAND_INS.get(name);
    if (attempt == 1 && standIn != null) {
      fields.put(name, standIn);
      return true;
    }
    return attempt <= 2 && fields.containsKey(name) && takeOut(fields, name);
  }

  private static boolean takeOut(Map<Object, @Nullable Object> fields, String name) {
    fields.remove(name);
    return true;
  }

  /** A wrong text in a list is taken out from the back, so that places of others stay right. */
  @SuppressWarnings("unchecked")
  private static boolean isText(List<?> list, int index) {
    if (list.get(index) instanceof Map || list.size() == 1) {
      return false;
    }
    int other = index == 0 ? 1 : 0;
    ((List<@Nullable Object>) list).set(index, list.get(other));
    return true;
  }

  private static @Nullable Object find(@Nullable Object root, String path) {
    Object at = root;
    for (String step : path.replace("[", ".[").split("\\.", -1)) {
      if (step.isEmpty()) {
        continue;
      }
      if (step.startsWith("[") && at instanceof List<?> list) {
        int index = Integer.parseInt(step.substring(1, step.length() - 1));
        at = index < list.size() ? list.get(index) : null;
      } else if (at instanceof Map<?, ?> map) {
        at = map.get(step);
      } else {
        return null;
      }
    }
    return at;
  }
}
