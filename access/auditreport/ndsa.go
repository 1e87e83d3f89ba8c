package auditreport

// ndsa are the NDSA Levels of Digital Preservation. The framework gives its cells no numbers.
var ndsa = frameworkSpec{Framework: Framework{ID: "NDSA", Name: "NDSA Levels of Digital Preservation",
	Edition: "2.0 (2019)", Source: "https://ndsa.org/publications/levels-of-digital-preservation/",
	Note: "The framework has no official numbers of cells: area and level name them. The texts are shortened."},
	rows: []rowSpec{
		{"Storage 1", "Storage", 1, "Two complete copies in separate places; media documented; stable storage", []spec{
			{"NDSA-storage-1-copies", "There are two complete copies.", completeCopies(2)},
			{"NDSA-storage-1-apart", "The copies lie in separate places.", placesOfCopies(2)},
			{"NDSA-storage-1-media", "All storage media are documented, and content is moved to stable storage.", nil},
		}},
		{"Storage 2", "Storage", 2, "Three complete copies, one in another region; dependencies documented", []spec{
			{"NDSA-storage-2-copies", "There are three complete copies.", completeCopies(3)},
			{"NDSA-storage-2-region", "One copy lies in another geographic region.", nil},
			{"NDSA-storage-2-documented", "Storage and its dependencies are documented.", nil},
		}},
		{"Storage 3", "Storage", 3, "A copy with another disaster threat; one on another medium; obsolescence tracked",
			[]spec{
				{"NDSA-storage-3-threat", "One copy is exposed to another disaster threat.", differentThreats(2)},
				{"NDSA-storage-3-medium", "One copy is on another type of medium.", differentMedia},
				{"NDSA-storage-3-obsolescence", "Obsolescence of storage and media is tracked.", nil},
			}},
		{"Storage 4", "Storage", 4, "Three copies, each with another disaster threat; a plan for obsolescence", []spec{
			{"NDSA-storage-4-threats", "Three copies are each exposed to another disaster threat.",
				differentThreats(3)},
			{"NDSA-storage-4-plan", "Storage is diversified, and a plan for obsolescence is followed.", nil},
		}},
		{"Integrity 1", "Integrity", 1, "Digests verified or made at ingest; viruses checked, infected content " +
			"isolated",
			[]spec{
				{"NDSA-integrity-1-digests", "Every package was checked against its digests when it was stored.",
					ingested},
				{"NDSA-integrity-1-viruses", "All content was checked for viruses.", scanned},
			}},
		{"Integrity 2", "Integrity", 2, "Integrity verified on copying; write-blockers; digests kept apart", []spec{
			{"NDSA-integrity-2-copying", "Each copy was read back and compared after writing.", readBack},
			{"NDSA-integrity-2-blockers", "Write-blockers are used with original media.", nil},
			{"NDSA-integrity-2-apart", "Digests are also kept apart from the content.", digestsApart},
		}},
		{"Integrity 3", "Integrity", 3, "Integrity verified at fixed intervals; process and outcomes documented",
			[]spec{
				{"NDSA-integrity-3-intervals", "All content is read at fixed intervals.", auditedOnTime},
				{"NDSA-integrity-3-documented", "Each check is recorded with its outcome.", auditsRecorded},
			}},
		{"Integrity 4", "Integrity", 4, "Integrity verified on events; damaged content replaced", []spec{
			{"NDSA-integrity-4-repair", "Damaged content was replaced from a good copy.", repaired},
			{"NDSA-integrity-4-events", "Integrity is verified in response to specific events or activities.", nil},
		}},
		{"Control 1", "Control", 1, "It is decided which people and programs may read, write, move and delete", []spec{
			{"NDSA-control-1-decided", "It is decided who may read, write, move and delete.", nil},
		}},
		{"Control 2", "Control", 2, "These permissions are documented and applied", []spec{
			{"NDSA-control-2-rights", "Each package has a rights statement, or a rule on access.", rightsStated},
			{"NDSA-control-2-documented", "The permissions of staff and programs are documented and applied.", nil},
		}},
		{"Control 3", "Control", 3, "Actions on content are logged with who did them", []spec{
			{"NDSA-control-3-events", "Actions on stored content are recorded as events.", eventsRecorded},
			{"NDSA-control-3-access", "Access by people is logged.", outsideRecords("Access logs of servers are not " +
				"in the " +
				"repository.")},
		}},
		{"Control 4", "Control", 4, "The logs are reviewed periodically", []spec{
			{"NDSA-control-4-reviewed", "The logs are reviewed periodically.", nil},
		}},
		{"Metadata 1", "Metadata", 1, "An inventory of the content with places; a copy of it apart", []spec{
			{"NDSA-metadata-1-inventory", "There is an inventory of all content with its places.", inventoried},
			{"NDSA-metadata-1-apart", "A copy of the inventory is kept apart from the content.", digestsApart},
		}},
		{"Metadata 2", "Metadata", 2, "Enough metadata to know the content", []spec{
			{"NDSA-metadata-2-described", "The METS of each package can be read.", described},
		}},
		{"Metadata 3", "Metadata", 3, "Standards chosen; gaps in metadata filled", []spec{
			{"NDSA-metadata-3-standards", "Standards for metadata are chosen, and gaps are found and filled.", nil},
		}},
		{"Metadata 4", "Metadata", 4, "Preservation actions recorded with dates; standards applied", []spec{
			{"NDSA-metadata-4-actions", "Preservation actions are recorded with their dates.", eventsRecorded},
			{"NDSA-metadata-4-applied", "The chosen standards are applied.", described},
		}},
		{"Content 1", "Content", 1, "File formats documented, with how and when they were identified", []spec{
			{"NDSA-content-1-formats", "The formats of payloads are identified and recorded.", formatsIdentified},
		}},
		{"Content 2", "Content", 2, "File formats verified; work with creators", []spec{
			{"NDSA-content-2-verified", "Containers were validated, and formats identified by signatures.",
				formatsIdentified},
			{"NDSA-content-2-creators", "Creators are encouraged to use open and documented formats.", nil},
		}},
		{"Content 3", "Content", 3, "Obsolescence of formats and technology monitored", []spec{
			{"NDSA-content-3-monitored", "Formats are compared with a policy.", formatsJudged},
			{"NDSA-content-3-watch", "Obsolescence and changes of technology are monitored.", nil},
		}},
		{"Content 4", "Content", 4, "Migration, normalization or emulation where needed", []spec{
			{"NDSA-content-4-acted", "Formats at risk are migrated, normalized or emulated.", migrated},
			{"NDSA-content-4-plan", "The choice of migration, normalization or emulation is planned.", nil},
		}},
	}}
