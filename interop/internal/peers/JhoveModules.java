import edu.harvard.hul.ois.jhove.ErrorMessage;
import edu.harvard.hul.ois.jhove.Message;
import edu.harvard.hul.ois.jhove.Module;
import edu.harvard.hul.ois.jhove.RepInfo;
import edu.harvard.hul.ois.jhove.module.GzipModule;
import edu.harvard.hul.ois.jhove.module.WarcModule;
import java.io.RandomAccessFile;

/**
 * JHOVE's module WARC-kb and, for compressed files, GZIP-kb: a file is valid if each of them finds
 * it valid. JHOVE has no module for ARC: an ARC file is invalid if its gzip layer has a fault, and
 * refused otherwise.
 */
public class JhoveModules {
    public static void main(String[] args) throws Exception {
        Asked.of(JhoveModules::judge);
    }

    private static Asked.Verdict judge(String file) throws Exception {
        if (begins(file, 0x1f, 0x8b)) {
            RepInfo gzip = ask(new GzipModule(), file);
            if (gzip.getValid() != RepInfo.TRUE) {
                return Asked.Verdict.invalid("GZIP-kb: " + reason(gzip));
            }
        }
        if (file.toLowerCase().contains(".arc")) {
            return Asked.Verdict.refused("no module for ARC");
        }
        if (file.toLowerCase().contains(".zst")) {
            return Asked.Verdict.refused("no module for Zstandard");
        }
        RepInfo warc = ask(new WarcModule(), file);
        return warc.getValid() == RepInfo.TRUE ? Asked.Verdict.valid() : Asked.Verdict.invalid("WARC-kb: " + reason(warc));
    }

    private static boolean begins(String file, int... bytes) throws Exception {
        try (RandomAccessFile in = new RandomAccessFile(file, "r")) {
            for (int want : bytes) {
                if (in.read() != want) {
                    return false;
                }
            }
            return true;
        }
    }

    private static RepInfo ask(Module module, String file) throws Exception {
        RepInfo info = new RepInfo(file);
        try (RandomAccessFile in = new RandomAccessFile(file, "r")) {
            module.parse(in, info);
        }
        return info;
    }

    /** Returns the first error, or else the first message: in these modules a warning also makes a file invalid. */
    private static String reason(RepInfo info) {
        String first = null;
        for (Message message : info.getMessage()) {
            String text = message.getId() + " " + message.getMessage() + " " + message.getSubMessage();
            if (message instanceof ErrorMessage) {
                return text;
            }
            first = first == null ? "only warns: " + text : first;
        }
        return first == null ? "says nothing" : first;
    }
}
