import java.nio.file.Path;
import org.apache.solr.embedded.JettyConfig;
import org.apache.solr.embedded.JettySolrRunner;

/** Starts Solr in a home folder on a port, and prints its URL. It ends with its input. */
class Runner {
  public static void main(String[] args) throws Exception {
    System.setProperty("hostPort", args[1]);
    System.setProperty("jetty.port", args[1]);
    JettySolrRunner solr = new JettySolrRunner(Path.of(args[0]).toString(),
        JettyConfig.builder().setContext("/solr").setPort(Integer.parseInt(args[1])).build());
    solr.start(false);
    System.out.println("READY " + solr.getBaseUrl());
    System.out.flush();
    while (System.in.read() >= 0) {}
    solr.stop();
    System.exit(0);
  }
}
