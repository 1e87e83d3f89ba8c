import java.io.BufferedReader;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Paths;
import java.security.MessageDigest;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Optional;
import org.netpreserve.jwarc.WarcCaptureRecord;
import org.netpreserve.jwarc.WarcReader;
import org.netpreserve.jwarc.WarcRecord;
import org.netpreserve.jwarc.WarcResource;
import org.netpreserve.jwarc.WarcResponse;

/**
 * Lists the captures of ARC and WARC files as jwarc reads them, in the form described in
 * pywb_captures.py. DIGEST is the digest of the body.
 */
public class JwarcCaptures {
    private static final DateTimeFormatter DATE = DateTimeFormatter.ofPattern("yyyyMMddHHmmss").withZone(ZoneOffset.UTC);

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
            for (Optional<WarcRecord> next; (next = reader.next()).isPresent(); ) {
                if (next.get() instanceof WarcResponse || next.get() instanceof WarcResource) {
                    out.print(capture((WarcCaptureRecord) next.get()));
                }
            }
        } catch (Exception | Error error) { // any error of a peer is a complaint
            out.print("complaint\t" + oneLine(error.toString()) + "\n");
        }
    }

    private static String capture(WarcCaptureRecord record) throws Exception {
        String status = "-";
        InputStream body = record.body().stream();
        if (record instanceof WarcResponse && record.target().startsWith("http")) {
            WarcResponse response = (WarcResponse) record;
            status = String.valueOf(response.http().status());
            body = response.http().body().stream();
        }
        return "capture\t" + oneLine(record.target()) + "\t" + DATE.format(record.date()) + "\t" + status + "\t" + digest(body) + "\n";
    }

    private static String digest(InputStream body) throws Exception {
        MessageDigest sha1 = MessageDigest.getInstance("SHA-1");
        byte[] buffer = new byte[8192];
        for (int n; (n = body.read(buffer)) > 0; ) {
            sha1.update(buffer, 0, n);
        }
        StringBuilder hex = new StringBuilder();
        for (byte b : sha1.digest()) {
            hex.append(String.format("%02x", b));
        }
        return hex.toString();
    }

    private static String oneLine(String text) {
        String line = text.replaceAll("\\s+", " ");
        return line.length() > 300 ? line.substring(0, 300) : line;
    }
}
