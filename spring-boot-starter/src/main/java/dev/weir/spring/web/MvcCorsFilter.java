package dev.weir.spring.web;

import jakarta.servlet.http.HttpServletRequest;
import org.springframework.web.cors.CorsConfigurationSource;
import org.springframework.web.cors.CorsUtils;
import org.springframework.web.filter.CorsFilter;

/**
 * Puts the headers of CORS that Spring MVC is configured with into an answer before a limit may
 * refuse, so that scripts of other origins can read the refusal. Preflights are Spring MVC's.
 */
public final class MvcCorsFilter extends CorsFilter {

  /** Makes a filter. */
  public MvcCorsFilter(CorsConfigurationSource source) {
    super(source);
  }

  @Override
  protected boolean shouldNotFilter(HttpServletRequest request) {
    return !CorsUtils.isCorsRequest(request) || CorsUtils.isPreFlightRequest(request);
  }
}
