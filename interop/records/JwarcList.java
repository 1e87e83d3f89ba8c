import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Paths;
import java.util.Optional;
import org.netpreserve.jwarc.WarcReader;
import org.netpreserve.jwarc.WarcRecord;

/** Lists the records of ARC and WARC files as jwarc reads them, in the form described in warcio_list.py. */
public class JwarcList {
    /**
     * Processor time after which a file is given up; wall-clock time means little on a busy
     * machine. jwarc 0.36.0 reads .warc.zst files for ever.
     */
    private static final long PATIENCE_MILLIS = 5_000;

    /** Wall-clock time after which a file is given up in any case. */
    private static final long AT_MOST_MILLIS = 180_000;

    public static void main(String[] args) throws Exception {
        PrintStream out = new PrintStream(System.out, false, "UTF-8");
        BufferedReader names = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String name; (name = names.readLine()) != null; ) {
            out.print("file\t" + name + "\n" + listOrGiveUp(name) + "end\n");
        }
        out.flush();
        System.exit(0); // an abandoned thread must not keep the process alive
    }

    /** Lists in a separate thread; interrupting it closes the file that it reads. */
    private static String listOrGiveUp(String name) throws InterruptedException {
        StringBuffer lines = new StringBuffer();
        Thread reading = new Thread(() -> list(name, lines));
        reading.setDaemon(true);
        reading.start();
        long begun = System.nanoTime();
        do {
            reading.join(100);
            if (!reading.isAlive()) {
                return lines.toString();
            }
        } while (ManagementFactory.getThreadMXBean().getThreadCpuTime(reading.getId()) < PATIENCE_MILLIS * 1_000_000
                && System.nanoTime() - begun < AT_MOST_MILLIS * 1_000_000);
        reading.interrupt();
        return lines + "complaint\tno end after " + PATIENCE_MILLIS / 1000 + " s\n";
    }

    private static void list(String name, StringBuffer lines) {
        try (WarcReader reader = new WarcReader(Paths.get(name))) {
            reader.onWarning(text -> lines.append("complaint\t" + oneLine(text) + "\n"));
            for (Optional<WarcRecord> next; (next = reader.next()).isPresent(); ) {
                WarcRecord record = next.get();
                String target = record.headers().first("WARC-Target-URI").orElse("");
                lines.append("record\t" + reader.position() + "\t-1\t" + oneLine(record.type()) + "\t" + oneLine(target) + "\n");
            }
        } catch (Exception | Error error) { // any error of a peer is a complaint
            lines.append("complaint\t" + oneLine(error.toString()) + "\n");
        }
    }

    private static String oneLine(String text) {
        String line = text.replaceAll("\\s+", " ");
        return line.length() > 300 ? line.substring(0, 300) : line;
    }
}
