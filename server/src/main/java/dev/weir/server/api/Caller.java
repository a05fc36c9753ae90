package dev.weir.server.api;

import com.linecorp.armeria.server.ServiceRequestContext;
import dev.weir.server.security.ApiKey;
import dev.weir.server.security.Role;
import io.netty.util.AttributeKey;
import java.util.Optional;

/** Who sent a request, as its key says. */
final class Caller {

  private static final AttributeKey<ApiKey> KEY = AttributeKey.valueOf(Caller.class, "KEY");

  private Caller() {}

  static void set(ServiceRequestContext ctx, ApiKey key) {
    ctx.setAttr(KEY, key);
  }

  private static Optional<ApiKey> key(ServiceRequestContext ctx) {
    return Optional.ofNullable(ctx.attr(KEY));
  }

  /** The name of the key's holder; without keys, where the request came from. */
  static String name(ServiceRequestContext ctx) {
    return key(ctx).map(ApiKey::name).orElse("local");
  }

  /** What the caller may do. */
  static Role role(ServiceRequestContext ctx) {
    return key(ctx).map(ApiKey::role).orElse(Role.ADMIN);
  }
}
