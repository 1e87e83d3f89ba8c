import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.nio.file.Path;
import java.nio.file.Paths;
import org.netpreserve.jwarc.HeaderValidator;
import org.netpreserve.jwarc.WarcReader;
import org.netpreserve.jwarc.tools.ValidateTool;

/**
 * jwarc validate, file by file. Its main method validates all files in one pool and would wait for
 * ever for a file that it does not finish. So this class calls the tool below main, with the same
 * settings.
 */
public class JwarcValidate {
    public static void main(String[] args) throws Exception {
        Method validate = ValidateTool.class.getDeclaredMethod("validate", Path.class);
        validate.setAccessible(true);
        Field headers = ValidateTool.class.getDeclaredField("headerValidator");
        headers.setAccessible(true);
        Asked.of(file -> {
            if (isEmpty(file)) {
                return Asked.Verdict.refused("no records");
            }
            ByteArrayOutputStream said = new ByteArrayOutputStream();
            System.setErr(new PrintStream(said, true, "UTF-8")); // the tool's errors go there; files are validated one at a time
            ValidateTool tool = new ValidateTool(false);
            headers.set(tool, HeaderValidator.warc_1_1());
            boolean valid;
            try {
                // The tool prints faults in the headers of captures and does not count them
                // (ValidateTool: "valid ="). Its verdict is used as it is.
                valid = (boolean) validate.invoke(tool, Paths.get(file));
            } catch (InvocationTargetException broken) {
                return Asked.Verdict.refused("breaks down: " + broken.getCause());
            }
            String reasons = said.toString("UTF-8").replace(Paths.get(file).getFileName() + ": ", "");
            if (valid) {
                return Asked.Verdict.valid();
            }
            boolean unknown = reasons.startsWith("Exception validating") && reasons.contains("at position 0:");
            return unknown ? Asked.Verdict.refused(reasons) : Asked.Verdict.invalid(reasons);
        });
    }

    /** Reports whether the file has no record; the tool finds such files valid. */
    private static boolean isEmpty(String file) {
        try (WarcReader reader = new WarcReader(Paths.get(file))) {
            return !reader.next().isPresent();
        } catch (Exception broken) {
            return false; // the tool reports the error
        }
    }
}
