import java.io.BufferedReader;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Paths;
import java.util.Optional;
import org.netpreserve.jwarc.MediaType;
import org.netpreserve.jwarc.WarcReader;
import org.netpreserve.jwarc.WarcRecord;
import org.netpreserve.jwarc.WarcRevisit;

/** Lists the revisit records of WARC files as jwarc reads them, in the form described in warcio_revisits.py. */
public class JwarcRevisits {
    public static void main(String[] args) throws Exception {
        PrintStream out = new PrintStream(System.out, false, "UTF-8");
        BufferedReader names = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String name; (name = names.readLine()) != null; ) {
            out.print("file\t" + name + "\n");
            list(name, out);
            out.print("end\n");
        }
        out.flush();
    }

    private static void list(String name, PrintStream out) {
        try (WarcReader reader = new WarcReader(Paths.get(name))) {
            reader.onWarning(text -> out.print("complaint\t" + oneLine(text) + "\n"));
            for (Optional<WarcRecord> next; (next = reader.next()).isPresent(); ) {
                if (next.get() instanceof WarcRevisit) {
                    out.print(revisit((WarcRevisit) next.get()));
                }
            }
        } catch (Exception | Error error) { // any error of a peer is a complaint
            out.print("complaint\t" + oneLine(error.toString()) + "\n");
        }
    }

    private static String revisit(WarcRevisit record) throws Exception {
        String status = "";
        long length = 0;
        if (record.contentType().base().equals(MediaType.HTTP) && record.body().size() > 0) {
            status = String.valueOf(record.http().status());
            length = rest(record.http().body().stream());
        } else {
            length = rest(record.body().stream());
        }
        return "revisit\t" + String.join("\t", oneLine(record.id().toString()), oneLine(record.target()), record.profile().toString(),
                record.refersToTargetURI().map(Object::toString).orElse(""), record.refersToDate().map(Object::toString).orElse(""), status, String.valueOf(length)) + "\n";
    }

    private static long rest(InputStream in) throws Exception {
        long length = 0;
        byte[] buffer = new byte[8192];
        for (int n; (n = in.read(buffer)) > 0; ) {
            length += n;
        }
        return length;
    }

    private static String oneLine(String text) {
        String line = text.replaceAll("\\s+", " ");
        return line.length() > 300 ? line.substring(0, 300) : line;
    }
}
