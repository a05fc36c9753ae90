package dev.weir.server.config;

import java.io.StringReader;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.DumperOptions.ScalarStyle;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.error.Mark;
import org.yaml.snakeyaml.error.MarkedYAMLException;
import org.yaml.snakeyaml.error.YAMLException;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.NodeTuple;
import org.yaml.snakeyaml.nodes.ScalarNode;
import org.yaml.snakeyaml.nodes.SequenceNode;

/**
 * A YAML text as maps, lists, texts, numbers and booleans, with the place of each. JSON is YAML
 * too. Plain scalars are read as JSON would read them, so that {@code no} is a text and {@code
 * 1:30} is no number of seconds.
 */
final class YamlTree {

  private static final int DEEPEST = 16;
  private static final int LONGEST = 4 * 1024 * 1024;
  private static final Pattern WHOLE = Pattern.compile("-?(0|[1-9][0-9]*)");
  private static final Pattern NUMBER =
      Pattern.compile("-?(0|[1-9][0-9]*)(\\.[0-9]+)?([eE][-+]?[0-9]+)?");

  private final Map<String, Place> keys = new HashMap<>();
  private final Map<String, Place> values = new HashMap<>();
  private final List<Mistake> mistakes = new ArrayList<>();
  private @Nullable Object root;

  private YamlTree() {}

  static YamlTree read(String text) {
    YamlTree tree = new YamlTree();
    LoaderOptions options = new LoaderOptions();
    options.setCodePointLimit(LONGEST);
    try {
      Node node = new Yaml(options).compose(new StringReader(text));
      tree.root = node == null ? null : tree.value(node, "", 0);
    } catch (MarkedYAMLException e) {
      Mark mark = e.getProblemMark() == null ? e.getContextMark() : e.getProblemMark();
      tree.mistake(place(mark), "", "this is not YAML: " + e.getProblem());
    } catch (YAMLException e) {
      tree.mistake(Place.START, "", "this is not YAML: " + e.getMessage());
    }
    return tree;
  }

  /** What the text says; {@code null} if it is empty or no YAML. */
  @Nullable Object root() {
    return root;
  }

  /** What is wrong with the text itself. */
  List<Mistake> mistakes() {
    return mistakes;
  }

  /** Where a field's value is; for one that is not there, the nearest that is around it. */
  Place value(String path) {
    return nearest(values, path);
  }

  /** Where a field's name is. */
  Place key(String path) {
    return keys.containsKey(path) ? nearest(keys, path) : nearest(values, path);
  }

  private static Place nearest(Map<String, Place> places, String path) {
    String at = path;
    while (true) {
      Place place = places.get(at);
      if (place != null || at.isEmpty()) {
        return place == null ? Place.START : place;
      }
      at = at.substring(0, Math.max(0, Math.max(at.lastIndexOf('.'), at.lastIndexOf('['))));
    }
  }

  private void mistake(Place place, String path, String problem) {
    mistakes.add(new Mistake(place.line(), place.column(), path, problem));
  }

  private static Place place(@Nullable Mark mark) {
    return mark == null ? Place.START : new Place(mark.getLine() + 1, mark.getColumn() + 1);
  }

  private @Nullable Object value(Node node, String path, int depth) {
    values.putIfAbsent(path, place(node.getStartMark()));
    if (depth > DEEPEST) {
      mistake(place(node.getStartMark()), path, "is nested too deeply; nothing here needs that");
      return null;
    }
    if (node instanceof MappingNode mapping) {
      return map(mapping, path, depth);
    }
    if (node instanceof SequenceNode sequence) {
      List<@Nullable Object> list = new ArrayList<>();
      for (Node entry : sequence.getValue()) {
        list.add(value(entry, path + "[" + list.size() + "]", depth + 1));
      }
      return list;
    }
    return scalar((ScalarNode) node);
  }

  private Map<String, @Nullable Object> map(MappingNode mapping, String path, int depth) {
    Map<String, @Nullable Object> map = new LinkedHashMap<>();
    for (NodeTuple tuple : mapping.getValue()) {
      Place place = place(tuple.getKeyNode().getStartMark());
      if (!(tuple.getKeyNode() instanceof ScalarNode key)) {
        mistake(place, path, "has a field whose name is no text; write name: value");
        continue;
      }
      String name = key.getValue();
      String field = path.isEmpty() ? name : path + "." + name;
      if (map.containsKey(name)) {
        mistake(place, field, "the field is there twice; leave one out");
        continue;
      }
      keys.put(field, place);
      map.put(name, value(tuple.getValueNode(), field, depth + 1));
    }
    return map;
  }

  private static @Nullable Object scalar(ScalarNode node) {
    String text = node.getValue();
    if (node.getScalarStyle() != ScalarStyle.PLAIN) {
      return text;
    }
    if (WHOLE.matcher(text).matches()) {
      return whole(text);
    }
    if (NUMBER.matcher(text).matches()) {
      return Double.valueOf(text);
    }
    return switch (text) {
      case "true", "True", "TRUE" -> true;
      case "false", "False", "FALSE" -> false;
      case "", "~", "null", "Null", "NULL" -> null;
      default -> text;
    };
  }

  private static Object whole(String text) {
    BigInteger number = new BigInteger(text);
    if (number.bitLength() < Integer.SIZE) {
      return number.intValueExact();
    }
    return number.bitLength() < Long.SIZE ? (Object) number.longValueExact() : number;
  }
}
