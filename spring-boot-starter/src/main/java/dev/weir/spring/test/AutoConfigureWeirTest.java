package dev.weir.spring.test;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.context.annotation.Import;

/**
 * On a test of an application, or on its configuration: limits are in memory, whatever the
 * application says, and their time is a {@link dev.weir.testkit.ManualClock} that the test moves.
 * Needs {@code weir-testkit} on the class path of the tests.
 *
 * <pre>{@code
 * @SpringBootTest
 * @AutoConfigureWeirTest
 * class SearchTest {
 *   @Autowired ManualClock clock;
 *   ...
 *   clock.advance(Duration.ofMinutes(1));
 * }
 * }</pre>
 */
@Documented
@Inherited
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
@Import(WeirTestConfiguration.class)
public @interface AutoConfigureWeirTest {}
