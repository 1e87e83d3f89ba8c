import java.io.File;
import java.io.IOException;
import java.util.Collection;

import org.jwat.arc.ArcReader;
import org.jwat.arc.ArcRecordBase;
import org.jwat.archive.ArchiveParser;
import org.jwat.archive.ArchiveParserCallback;
import org.jwat.common.Diagnosis;
import org.jwat.gzip.GzipEntry;
import org.jwat.gzip.GzipReader;
import org.jwat.warc.WarcReader;
import org.jwat.warc.WarcRecord;

/**
 * Checks one container as `jwattools test` does: JWAT's ArchiveParser reads it to its end, with
 * block and payload digests, and its diagnoses are counted. (The tool itself is not on Maven
 * Central; its library is.) Exits with 1 if there are errors.
 */
public final class JwatTest implements ArchiveParserCallback {
	private long records;
	private long errors;
	private long warnings;

	public static void main(String[] args) {
		ArchiveParser parser = new ArchiveParser();
		parser.bBlockDigestEnabled = true;
		parser.bPayloadDigestEnabled = true;
		JwatTest test = new JwatTest();
		parser.parse(new File(args[0]), test);
		System.out.println(test.records + " records, " + test.errors + " errors, " + test.warnings + " warnings");
		System.exit(test.errors > 0 ? 1 : 0);
	}

	private void count(Collection<Diagnosis> found, Collection<Diagnosis> doubted) {
		errors += found.size();
		warnings += doubted.size();
	}

	@Override
	public void apcFileId(File file, int fileId) {
		// The records show the kind of file.
	}

	@Override
	public void apcGzipEntryStart(GzipEntry entry, long offset) {
		count(entry.diagnostics.getErrors(), entry.diagnostics.getWarnings());
	}

	// Closing a record reads the rest of its block: only then are its digests compared.
	@Override
	public void apcArcRecordStart(ArcRecordBase record, long offset, boolean compressed) throws IOException {
		record.close();
		records++;
		count(record.diagnostics.getErrors(), record.diagnostics.getWarnings());
	}

	@Override
	public void apcWarcRecordStart(WarcRecord record, long offset, boolean compressed) throws IOException {
		record.close();
		records++;
		count(record.diagnostics.getErrors(), record.diagnostics.getWarnings());
	}

	@Override
	public void apcUpdateConsumed(long consumed) {
		// Progress is not shown.
	}

	@Override
	public void apcRuntimeError(Throwable trouble, long offset, long consumed) {
		throw new IllegalStateException("at byte " + consumed, trouble);
	}

	@Override
	public void apcDone(GzipReader gzip, ArcReader arc, WarcReader warc) {
		if (arc != null) {
			count(arc.diagnostics.getErrors(), arc.diagnostics.getWarnings());
		}
		if (warc != null) {
			count(warc.diagnostics.getErrors(), warc.diagnostics.getWarnings());
		}
	}
}
