//go:build interop

package records

// explained lists the files that a peer reads without complaint but differently, each with the
// reason for our reading. The key is the peer's name and the file's path below the samples.
var explained = map[string]string{
	// jwarc has read past the shared member and returns the start of the next one.
	"jwarc harvard-lil_scoop/history/assets/fixtures/9cf8ff6d_example.com.warc.gz": sharedMember,
	"jwarc harvard-lil_scoop/history/assets/fixtures/example.com.warc.gz":          sharedMember,
	"jwarc internetarchive_gowarc/warcs/good.warc.gz.open":                         sharedMember,
	"jwarc internetarchive_gowarc/warcs/skip-non-open.warc.gz":                     sharedMember,
	"jwarc slyrz_warc/test.warc.gz":                                                sharedMember,

	"jwarc _made/synthetic/gzip/empty-members.warc.gz":                                      emptyMembers,
	"warcio _made/synthetic/gzip/empty-members.warc.gz":                                     emptyMembers,
	"jwarc internetarchive_CDX-Writer/empty-gzips.warc.gz":                                  emptyMembers,
	"warcio internetarchive_CDX-Writer/empty-gzips.warc.gz":                                 emptyMembers,
	"jwarc webrecorder_warcio/example.arc":                                                  newlineCounted,
	"jwarc " + nas + "bitarchive/data/batch/originals/Upload1.ARC":                          newlineCounted,
	"jwarc " + nas + "bitarchive/distribute/data/originals/bitarchive1/filedir/Upload4.ARC": newlineCounted,
	"warcio " + nas +
		"arcrepository/bitpreservation/data/originals/bitarchive1_to_fail/filedir/integrity1.ARC": "the file begins with an empty " +
		"line; warcio takes it for a record that is the rest of the file, jwarc and we for no record",

	"warcio _made/synthetic/warc-bad/content-length-missing.warc": "a record says no length; warcio takes the rest " +
		"of the file for its " +
		"block, we end it where the next record begins, and say so (WARC-LENGTH)",
	"warcio _made/synthetic/warc-bad/content-length-claims-10gb.warc": swallowed,
	"warcio _made/synthetic/arc-bad/length-huge.arc":                  swallowed,
	"warcio _made/synthetic/warc-bad/header-never-ends.warc.gz": "a header of megabytes is an attack: " +
		"Quire stops after 1 MiB (WARC-HEADER-SIZE)",
	"warcio opf-labs_jhove2/warc/invalid-warcrecord-1.warc": "records say no length; warcio takes the rest " +
		"of the file for the first one's block",
	"warcio opf-labs_jhove2/warc/valid-warcfile-fields-warcinfo.warc": "each value is folded onto its " +
		"own line (ISO 28500:2009, 4); warcio does not unfold the type",

	"warcio netarchivesuite_jwat/history/test-lonely-warcinfo-metadata.warc": "two headers without blocks: warcio " +
		"stops after the first",
	"warcio opf-labs_jhove2/warc/invalid-warcheaderfieldpolicy-11.warc": noBlock,
	"warcio opf-labs_jhove2/warc/invalid-warcheaderfieldpolicy-12.warc": noBlock,

	"warcio opf-labs_jhove2/warc/invalid-warcheaderversion-20.warc":                           noRecord,
	"warcio netarchivesuite_netarchivesuite/common/utils/arc/data/originals/input-nonarc.arc": noRecord,
	"warcio richardlehane_siegfried/skeleton-suite/fmt/fmt-410-signature-id-580.arc":          noRecord,
}

const nas = "netarchivesuite_netarchivesuite/archive/"

// Reasons common to several files.
const (
	sharedMember = "several records share a gzip member; Quire gives each record the offset of its " +
		"member, warcio refuses the file, and jwarc gives the following member"
	emptyMembers = "empty gzip members stand between the records; we say where the member with the record begins, " +
		"the peers " +
		"where the empty one before it does; both can be seeked to"
	newlineCounted = "a newline beyond the version block's length; Quire and warcio give the start of " +
		"the URL-record line, jwarc that of the newline"
	noBlock = "the file ends behind a header; warcio passes over the record, jwarc and we list it, with a block " +
		"cut short"
	swallowed = "a length reaches past the end of the file; warcio takes the rest for its block, we find the records " +
		"in it"
	noRecord = "the file holds no record; warcio makes one of whatever it finds"
)
