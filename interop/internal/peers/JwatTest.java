import java.io.File;
import java.io.IOException;
import org.jwat.arc.ArcReader;
import org.jwat.arc.ArcRecordBase;
import org.jwat.archive.ArchiveParser;
import org.jwat.archive.ArchiveParserCallback;
import org.jwat.archive.ManagedPayload;
import org.jwat.common.Diagnosis;
import org.jwat.common.Diagnostics;
import org.jwat.common.UriProfile;
import org.jwat.gzip.GzipEntry;
import org.jwat.gzip.GzipReader;
import org.jwat.warc.WarcReader;
import org.jwat.warc.WarcRecord;

/** Runs JWAT as {@code jwattools test} does: it checks digests; a file is valid if there is no error. */
public class JwatTest implements ArchiveParserCallback {
    // Never checked in again: after an exception within a record it also fails on the next file.
    private final ManagedPayload payload = ManagedPayload.checkout();
    private long records;
    private String firstError;

    public static void main(String[] args) throws Exception {
        Asked.of(file -> new JwatTest().judge(new File(file)));
    }

    private Asked.Verdict judge(File file) {
        ArchiveParser parser = new ArchiveParser();
        parser.uriProfile = UriProfile.RFC3986;
        parser.bBlockDigestEnabled = true;
        parser.bPayloadDigestEnabled = true;
        parser.bReportHttpHeaderError = false;
        parser.parse(file, this);
        if (records == 0) {
            return Asked.Verdict.refused(firstError == null ? "no records, no findings" : firstError);
        }
        return firstError == null ? Asked.Verdict.valid() : Asked.Verdict.invalid(firstError);
    }

    private void note(Diagnostics found) {
        if (firstError != null || !found.hasErrors()) {
            return;
        }
        Diagnosis first = found.getErrors().get(0);
        firstError = first.type + " " + first.entity + (first.information == null ? "" : " " + String.join(", ", words(first.information)));
    }

    private static String[] words(Object[] information) {
        String[] words = new String[information.length];
        for (int i = 0; i < words.length; i++) {
            words[i] = String.valueOf(information[i]);
        }
        return words;
    }

    @Override
    public void apcFileId(File file, int fileId) {}

    @Override
    public void apcGzipEntryStart(GzipEntry entry, long startOffset) {
        note(entry.diagnostics);
    }

    @Override
    public void apcArcRecordStart(ArcRecordBase record, long startOffset, boolean compressed) throws IOException {
        records++;
        payload.manageVersionBlock(record, false);
        record.close();
        note(record.diagnostics);
    }

    @Override
    public void apcWarcRecordStart(WarcRecord record, long startOffset, boolean compressed) throws IOException {
        records++;
        payload.manageWarcRecord(record, false);
        record.close();
        note(record.diagnostics);
    }

    @Override
    public void apcUpdateConsumed(long consumed) {}

    @Override
    public void apcRuntimeError(Throwable thrown, long offset, long consumed) {
        if (firstError == null) {
            firstError = "breaks down: " + thrown;
        }
    }

    @Override
    public void apcDone(GzipReader gzip, ArcReader arc, WarcReader warc) {
        if (gzip != null) {
            note(gzip.diagnostics);
        }
        if (arc != null) {
            note(arc.diagnostics);
        }
        if (warc != null) {
            note(warc.diagnostics);
        }
    }
}
