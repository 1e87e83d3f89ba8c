import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;

import org.dspace.app.itemimport.ImportItems;
import org.dspace.content.packager.ReadManifest;

/**
 * Reads paths from standard input, one a line: a path in .zip is a METS package, any other path a
 * folder with a Simple Archive. Writes DSpace's reading of each to standard output.
 */
public class AskDSpace {
    public static void main(String[] args) throws Exception {
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String path = in.readLine(); path != null; path = in.readLine()) {
            System.out.println("path\t" + path);
            try {
                if (path.endsWith(".zip")) {
                    ReadManifest.manifest(path);
                } else {
                    ImportItems.items(path);
                }
            } catch (Exception e) {
                System.out.println("refused\t" + e);
            }
        }
    }
}
