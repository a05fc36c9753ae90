package dev.weir.examples;

import dev.weir.client.ObedientHttpClient;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;

/** A client that sends nothing while the server wants to be left alone. */
public final class ClientExample {

  private ClientExample() {}

  /**
   * Asks a server three times.
   *
   * @param args the address to ask
   */
  public static void main(String[] args) throws IOException, InterruptedException {
    ObedientHttpClient client =
        ObedientHttpClient.of(HttpClient.newHttpClient())
            .maxWait(Duration.ofSeconds(30))
            .retries(2);
    HttpRequest request = HttpRequest.newBuilder(URI.create(args[0])).build();

    for (int i = 1; i <= 3; i++) {
      HttpResponse<String> answer = client.send(request, BodyHandlers.ofString());
      System.out.println("answer " + i + ": " + answer.statusCode());
    }
  }
}
