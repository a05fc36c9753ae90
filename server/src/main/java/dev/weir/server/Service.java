package dev.weir.server;

import dev.weir.adaptive.AddressList;
import dev.weir.server.api.AdminRoutes;
import dev.weir.server.api.DraftService;
import dev.weir.server.api.LiveService;
import dev.weir.server.api.OverrideService;
import dev.weir.server.api.SubjectService;
import dev.weir.server.config.ConfigFile;
import dev.weir.server.config.PolicyManager;
import dev.weir.server.config.ServiceConfig;
import dev.weir.server.decide.ByHand;
import dev.weir.server.decide.Decider;
import dev.weir.server.live.Live;
import dev.weir.server.live.StoreHealth;
import dev.weir.server.policy.LimiterFactory;
import dev.weir.server.policy.PolicyRegistry;
import dev.weir.server.security.ApiKey;
import dev.weir.server.security.ApiKeys;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The parts of the service that are no HTTP, and the one thread that looks after files and stores.
 * Safe for use by several threads.
 */
final class Service implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(Service.class);
  private static final long POLL_MILLIS = 500;
  private static final long PING_MILLIS = 1_000;
  private static final long FOLLOW_MILLIS = 10_000;

  private final InstantSource clock;
  private final LimiterFactory limiters;
  private final PolicyRegistry registry;
  private final PolicyManager manager;
  private final Live live;
  private final StoreHealth health;
  private final ByHand byHand;
  private final Decider decider;
  private final List<ConfigFile> files = new ArrayList<>();
  private final ScheduledExecutorService upkeep;
  private volatile AddressList proxies = AddressList.EMPTY;
  private volatile List<ApiKey> keysOfConfig = List.of();
  private volatile List<ApiKey> keysOfFile = List.of();
  private volatile ApiKeys keys = ApiKeys.NONE;

  /**
   * Makes the parts, and reads the files.
   *
   * @throws BadFileException if a file cannot be used
   */
  Service(LimiterFactory limiters, ServiceOptions options) {
    this.limiters = limiters;
    this.clock = options.clock();
    this.registry = new PolicyRegistry(limiters);
    this.manager = new PolicyManager(registry, limiters.policies(), clock);
    this.live = new Live(registry, clock);
    this.health = new StoreHealth(limiters, clock);
    this.byHand = (subject, origin) -> limiters.overrides().treatment(subject, origin, false);
    this.decider = new Decider(registry, byHand, live);
    options.config().ifPresent(path -> files.add(new ConfigFile(path, this::use)));
    keys = new ApiKeys(List.of(), options.apiKeys().isPresent());
    options.apiKeys().ifPresent(path -> files.add(new ConfigFile(path, this::useKeys)));
    for (ConfigFile file : files) {
      file.poll(clock.millis());
      if (!file.mistakes().isEmpty()) {
        throw new BadFileException(file);
      }
    }
    this.upkeep =
        Executors.newSingleThreadScheduledExecutor(
            task -> {
              Thread thread = new Thread(task, "weir-upkeep");
              thread.setDaemon(true);
              return thread;
            });
    every(POLL_MILLIS, () -> files.forEach(file -> file.poll(clock.millis())));
    every(POLL_MILLIS, manager::poll);
    every(PING_MILLIS, health::ping);
    every(FOLLOW_MILLIS, live::follow);
  }

  private void every(long millis, Runnable task) {
    Runnable guarded =
        () -> {
          try {
            task.run();
          } catch (RuntimeException e) {
            LOG.error("upkeep failed, and goes on", e);
          }
        };
    var unused = upkeep.scheduleWithFixedDelay(guarded, millis, millis, TimeUnit.MILLISECONDS);
  }

  private void use(ServiceConfig config) {
    manager.useFile(config.policies());
    proxies = AddressList.of(config.trustedProxies());
    keysOfConfig = config.apiKeys();
    joinKeys();
  }

  private void useKeys(ServiceConfig config) {
    keysOfFile = config.apiKeys();
    joinKeys();
  }

  private void joinKeys() {
    List<ApiKey> all = new ArrayList<>(keysOfConfig);
    all.addAll(keysOfFile);
    // Whoever had keys is never left without by a file that lost them.
    keys = new ApiKeys(all, !keys.isOpen());
  }

  /** The admin interface to all this. */
  AdminRoutes adminRoutes() {
    return new AdminRoutes(
        new LiveService(live, health, limiters, registry, manager, this::configFile, clock),
        new SubjectService(registry, live, limiters.overrides(), clock),
        new DraftService(manager, limiters, live, byHand, clock),
        new OverrideService(limiters.overrides()));
  }

  InstantSource clock() {
    return clock;
  }

  PolicyRegistry registry() {
    return registry;
  }

  PolicyManager manager() {
    return manager;
  }

  Live live() {
    return live;
  }

  Decider decider() {
    return decider;
  }

  AddressList proxies() {
    return proxies;
  }

  ApiKeys keys() {
    return keys;
  }

  /** The file of policies, if there is one. */
  Optional<ConfigFile> configFile() {
    return files.stream().findFirst();
  }

  @Override
  public void close() {
    upkeep.shutdownNow();
    limiters.close();
  }
}
