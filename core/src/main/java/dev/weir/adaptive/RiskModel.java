package dev.weir.adaptive;

import static dev.weir.adaptive.SubjectState.AGENTLESS;
import static dev.weir.adaptive.SubjectState.AUTH;
import static dev.weir.adaptive.SubjectState.BAD;
import static dev.weir.adaptive.SubjectState.BASELINE;
import static dev.weir.adaptive.SubjectState.BURST;
import static dev.weir.adaptive.SubjectState.COUNTERS;
import static dev.weir.adaptive.SubjectState.DENIED;
import static dev.weir.adaptive.SubjectState.ERRORS;
import static dev.weir.adaptive.SubjectState.PROBES;
import static dev.weir.adaptive.SubjectState.RISK;
import static dev.weir.adaptive.SubjectState.ROUTES;
import static dev.weir.adaptive.SubjectState.SLOTS;
import static dev.weir.adaptive.SubjectState.SLOW;
import static dev.weir.adaptive.SubjectState.STRIKES;
import static dev.weir.adaptive.SubjectState.TOTAL;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The steps of the model: a state and an event give a state. Immutable and pure; a state that is
 * passed in is never changed. A time before the state's own is treated as the state's.
 */
public final class RiskModel {

  /** Routes are watched once this much was asked for in a minute. */
  private static final double ROUTES_FROM_TOTAL = 3;

  /** A counter below this is 0. */
  private static final double NOTHING = 1.0 / (1 << 20);

  private static final long FARTHEST_LOOK_TICKS = 1L << 26;
  private static final long LEAST_KEPT_TICKS = 9_000;
  private static final double COUNTS_AS_STRIKE = 0.5;
  private static final long PATH_GENERATION_TICKS = 36_000;
  private static final long GENERATION_TICKS = 6_000;

  private final AdaptivePolicy policy;
  private final long[] halfLives = new long[COUNTERS];
  private final Scoring scoring;
  private final Tiers tiers;

  /**
   * A model.
   *
   * @param policy its numbers
   * @param limits what the subject's limits admit
   */
  public RiskModel(AdaptivePolicy policy, BaseRate limits) {
    this.policy = policy;
    this.scoring = new Scoring(policy, limits);
    this.tiers = new Tiers(policy);
    halfLives[BAD] = policy.ticks(Setting.UNMATCHED_HALF_LIFE);
    halfLives[SLOW] = policy.ticks(Setting.SLOW_SCAN_HALF_LIFE);
    halfLives[AUTH] = policy.ticks(Setting.AUTH_FAILURES_HALF_LIFE);
    halfLives[BURST] = policy.ticks(Setting.BURST_HALF_LIFE);
    halfLives[BASELINE] = policy.ticks(Setting.BASELINE_HALF_LIFE);
    halfLives[TOTAL] = policy.ticks(Setting.REPEAT_HALF_LIFE);
    halfLives[ROUTES] = policy.ticks(Setting.NEW_ROUTES_HALF_LIFE);
    halfLives[DENIED] = policy.ticks(Setting.DENIALS_HALF_LIFE);
    halfLives[AGENTLESS] = policy.ticks(Setting.MISSING_AGENT_HALF_LIFE);
    halfLives[ERRORS] = policy.ticks(Setting.SERVER_ERRORS_HALF_LIFE);
    halfLives[STRIKES] = policy.ticks(Setting.STRIKE_HALF_LIFE);
    halfLives[PROBES] = policy.ticks(Setting.PROBES_HALF_LIFE);
    halfLives[RISK] = policy.ticks(Setting.RISK_HALF_LIFE);
  }

  /** The policy whose numbers this model has. */
  public AdaptivePolicy policy() {
    return policy;
  }

  /**
   * The state after a request came in, before it is decided.
   *
   * @param stored the state so far, or {@code null} for a subject never seen
   * @param seed the subject's hash, for the jitter of blocks
   */
  public SubjectState request(@Nullable SubjectState stored, Call call, long nowMicros, int seed) {
    SubjectState state = at(stored, nowMicros);
    if (!call.isStatic() && state.counters[TOTAL] >= ROUTES_FROM_TOTAL && isNewRoute(state, call)) {
      state.add(ROUTES, 1);
    }
    state.add(BURST, call.weight());
    state.add(BASELINE, call.weight());
    state.add(TOTAL, call.weight());
    repeat(state, call.fingerprint(), call.weight());
    if (call.lacksAgent()) {
      state.add(AGENTLESS, 1);
    }
    if (call.isAuthAttempt()) {
      state.add(AUTH, policy.get(Setting.AUTH_ATTEMPT_WEIGHT));
    }
    if (call.isUnmatched() && !call.isStatic()) {
      unmatched(state, call.path(), call.isTripwire(), call.isPopular());
    }
    people(state, call);
    return judged(state, seed);
  }

  /** The state after the application has answered an allowed request. */
  public SubjectState outcome(
      @Nullable SubjectState stored, Outcome outcome, long nowMicros, int seed) {
    SubjectState state = at(stored, nowMicros);
    if (outcome.isUnmatched()) {
      unmatched(state, outcome.path(), outcome.isTripwire(), outcome.isPopular());
    }
    if (outcome.isAuthFailure()) {
      state.add(AUTH, policy.get(Setting.AUTH_FAILURE_WEIGHT));
    }
    if (outcome.isServerError()) {
      state.add(ERRORS, 1);
    }
    return judged(state, seed);
  }

  /**
   * The state after a call was refused. It counts if it came before the time to retry that an
   * earlier refusal had told.
   *
   * @param retryAfterMicros the wait that this refusal tells, or -1 for never
   */
  public SubjectState refused(
      @Nullable SubjectState stored, long retryAfterMicros, long nowMicros) {
    SubjectState state = at(stored, nowMicros);
    if (state.tick < state.retryAtTick) {
      state.add(DENIED, 1);
    } else if (retryAfterMicros >= 0) {
      state.retryAtTick = Decay.tick(nowMicros + retryAfterMicros);
    }
    return state;
  }

  /** What the state is at a time, with its reasons. Changes and stores nothing. */
  public Explanation explain(@Nullable SubjectState stored, long nowMicros) {
    SubjectState state = settledAt(stored, nowMicros);
    Evidence evidence = scoring.evidence(state);
    return Explanations.of(
        state, evidence, scoring.risk(state, evidence), next(stored, state, nowMicros));
  }

  private SubjectState settledAt(@Nullable SubjectState stored, long nowMicros) {
    SubjectState state = at(stored, nowMicros);
    tiers.settle(state, scoring.risk(state, scoring.evidence(state)));
    return state;
  }

  /** The first change if the subject stays away, found by looking ahead. */
  private Optional<Explanation.Change> next(
      @Nullable SubjectState stored, SubjectState state, long nowMicros) {
    if (state.tier == 0) {
      return Optional.empty();
    }
    long same = 0;
    long other = 1;
    while (other < FARTHEST_LOOK_TICKS && tierIn(stored, nowMicros, other) == state.tier) {
      same = other;
      other = other * 2;
    }
    while (other - same > 1) {
      long middle = same + (other - same) / 2;
      if (tierIn(stored, nowMicros, middle) == state.tier) {
        same = middle;
      } else {
        other = middle;
      }
    }
    long tick = state.tick + other;
    return Optional.of(
        new Explanation.Change(
            Tier.of(tierIn(stored, nowMicros, other)), tick * Decay.TICK_MICROS));
  }

  private int tierIn(@Nullable SubjectState stored, long nowMicros, long ticks) {
    return settledAt(stored, nowMicros + ticks * Decay.TICK_MICROS).tier;
  }

  /**
   * How long a state has to be kept after its last change: at least 15 minutes, until the block
   * ends and until nothing that was held against the subject counts any more. A state that is older
   * is taken as fresh.
   */
  public long keptMicros(SubjectState state) {
    return keptTicks(state) * Decay.TICK_MICROS;
  }

  /** Whether a state counts at a time, or is taken as fresh. */
  boolean isKept(SubjectState state, long nowMicros) {
    return Decay.tick(nowMicros) - state.tick < keptTicks(state);
  }

  private long keptTicks(SubjectState state) {
    long ticks = Math.max(LEAST_KEPT_TICKS, state.blockEndTick - state.tick + LEAST_KEPT_TICKS);
    ticks = Math.max(ticks, fading(state, RISK, 1));
    ticks = Math.max(ticks, fading(state, SLOW, 1));
    ticks = Math.max(ticks, fading(state, PROBES, 1));
    return Math.max(ticks, fading(state, STRIKES, COUNTS_AS_STRIKE));
  }

  /** The whole half-lives until a counter is below a mark. */
  private long fading(SubjectState state, int counter, double mark) {
    long ticks = 0;
    for (double count = state.counters[counter]; count >= mark; count = count * 0.5) {
      ticks += halfLives[counter];
    }
    return ticks;
  }

  /** A copy of the state as it is at a time, with everything decayed. */
  private SubjectState at(@Nullable SubjectState stored, long nowMicros) {
    long tick = Decay.tick(nowMicros);
    if (stored == null || !isKept(stored, nowMicros)) {
      SubjectState fresh = new SubjectState();
      fresh.tick = tick;
      fresh.calmSinceTick = tick;
      return fresh;
    }
    SubjectState state = stored.copy();
    if (tick <= state.tick) {
      return state;
    }
    long ticks = tick - state.tick;
    for (int i = 0; i < COUNTERS; i++) {
      state.counters[i] = decayed(state.counters[i], ticks, halfLives[i]);
    }
    fadeRepeats(state, ticks);
    move(state.paths, state.tick, tick, PATH_GENERATION_TICKS);
    move(state.routes, state.tick, tick, GENERATION_TICKS);
    move(state.principals, state.tick, tick, GENERATION_TICKS);
    move(state.agents, state.tick, tick, GENERATION_TICKS);
    state.tick = tick;
    return state;
  }

  /** What has faded makes room; the others move up, as the bytes of the state have no gaps. */
  private void fadeRepeats(SubjectState state, long ticks) {
    int kept = 0;
    for (int i = 0; i < SLOTS; i++) {
      float repeats = decayed(state.repeats[i], ticks, halfLives[TOTAL]);
      if (repeats > 0) {
        state.prints[kept] = state.prints[i];
        state.repeats[kept] = repeats;
        kept++;
      }
    }
    for (int i = kept; i < SLOTS; i++) {
      state.prints[i] = 0;
      state.repeats[i] = 0;
    }
  }

  static float decayed(float count, long ticks, long halfLifeTicks) {
    if (count == 0) {
      return 0;
    }
    double decayed = count * Decay.factor(ticks, halfLifeTicks);
    return decayed < NOTHING ? 0 : (float) decayed;
  }

  private static void move(@Nullable SeenSet set, long from, long to, long generationTicks) {
    if (set != null) {
      set.move(from / generationTicks, to / generationTicks);
    }
  }

  private static boolean isNewRoute(SubjectState state, Call call) {
    SeenSet routes = state.routes;
    if (routes == null) {
      routes = new SeenSet(SubjectState.ROUTE_BITS);
      state.routes = routes;
    }
    return routes.add(call.route());
  }

  /** Space-Saving: a request that has no slot takes the least used one, with its count. */
  private static void repeat(SubjectState state, int fingerprint, double weight) {
    int slot = 0;
    for (int i = 0; i < SLOTS; i++) {
      if (state.repeats[i] > 0 && state.prints[i] == fingerprint) {
        slot = i;
        break;
      }
      if (state.repeats[i] < state.repeats[slot]) {
        slot = i;
      }
    }
    state.prints[slot] = fingerprint;
    state.repeats[slot] = (float) Math.min(SubjectState.MAX_COUNT, state.repeats[slot] + weight);
  }

  private void unmatched(SubjectState state, int path, boolean isTripwire, boolean isPopular) {
    SeenSet paths = state.paths;
    if (paths == null) {
      paths = new SeenSet(SubjectState.PATH_BITS);
      state.paths = paths;
    }
    if (!paths.add(path)) {
      return;
    }
    double increment = 1;
    if (isTripwire) {
      increment = policy.get(Setting.TRIPWIRE_WEIGHT);
      state.add(PROBES, 1);
    } else if (isPopular) {
      increment = policy.get(Setting.POPULAR_WEIGHT);
    }
    state.add(BAD, increment);
    state.add(SLOW, increment);
  }

  private static void people(SubjectState state, Call call) {
    if (call.principal() != 0) {
      SeenSet principals = state.principals;
      if (principals == null) {
        principals = new SeenSet(SubjectState.PEOPLE_BITS);
        state.principals = principals;
      }
      principals.add(call.principal());
    }
    if (call.agent() != 0) {
      SeenSet agents = state.agents;
      if (agents == null) {
        agents = new SeenSet(SubjectState.PEOPLE_BITS);
        state.agents = agents;
      }
      agents.add(call.agent());
    }
  }

  private SubjectState judged(SubjectState state, int seed) {
    Evidence evidence = scoring.evidence(state);
    double risk = scoring.risk(state, evidence);
    tiers.settle(state, risk);
    tiers.raise(state, evidence, seed);
    state.counters[RISK] = (float) risk;
    return state;
  }
}
