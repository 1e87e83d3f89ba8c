import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Asks a peer for its verdict on each file named on standard input, one a line. Writes lines of
 * three cells, separated by tabs, in the form that warcio_check.py also writes and peers_test.go
 * reads:
 *
 * <pre>FILE  valid|invalid|refused  REASON</pre>
 *
 * A peer refuses a file if it does not recognize a container, finds no record, fails with an
 * exception, or does not finish.
 */
final class Asked {
    /**
     * Processor time after which a file is given up; wall-clock time means little on a busy
     * machine. jwarc 0.36.0 reads .warc.zst files for ever.
     */
    private static final long PATIENCE_MILLIS = 10_000;

    /** Wall-clock time after which a file is given up in any case. */
    private static final long AT_MOST_MILLIS = 180_000;

    /** The verdict of a peer on one file. */
    static final class Verdict {
        final String word;
        final String reason;

        private Verdict(String word, String reason) {
            this.word = word;
            this.reason = reason;
        }

        static Verdict valid() {
            return new Verdict("valid", "");
        }

        static Verdict invalid(String reason) {
            return new Verdict("invalid", reason);
        }

        static Verdict refused(String reason) {
            return new Verdict("refused", reason);
        }
    }

    interface Peer {
        Verdict judge(String file) throws Exception;
    }

    static void of(Peer peer) throws Exception {
        PrintStream out = new PrintStream(System.out, false, "UTF-8");
        BufferedReader names = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String name; (name = names.readLine()) != null; ) {
            Verdict verdict = judgeOrGiveUp(peer, name);
            out.print(name + "\t" + verdict.word + "\t" + oneLine(verdict.reason) + "\n");
        }
        out.flush();
        System.exit(0); // an abandoned thread must not keep the process alive
    }

    /** Judges in a separate thread; interrupting it closes the file that it reads. */
    private static Verdict judgeOrGiveUp(Peer peer, String name) throws InterruptedException {
        AtomicReference<Verdict> said = new AtomicReference<>();
        Thread judging = new Thread(() -> {
            try {
                said.set(peer.judge(name));
            } catch (Exception | Error error) {
                said.set(Verdict.refused("breaks down: " + error));
            }
        });
        judging.setDaemon(true);
        judging.start();
        if (!ends(judging)) {
            judging.interrupt();
            return Verdict.refused("no end after " + PATIENCE_MILLIS / 1000 + " s");
        }
        return said.get();
    }

    /** Waits until a thread ends or its time is used up. Reports whether it ended. */
    private static boolean ends(Thread thread) throws InterruptedException {
        long begun = System.nanoTime();
        do {
            thread.join(100);
            if (!thread.isAlive()) {
                return true;
            }
        } while (ManagementFactory.getThreadMXBean().getThreadCpuTime(thread.getId()) < PATIENCE_MILLIS * 1_000_000
                && System.nanoTime() - begun < AT_MOST_MILLIS * 1_000_000);
        return false;
    }

    private static String oneLine(String text) {
        String line = text.replaceAll("[\\s\\p{Cntrl}|]+", " ").trim();
        return line.length() > 200 ? line.substring(0, 200) : line;
    }

    private Asked() {}
}
