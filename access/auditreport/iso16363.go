package auditreport

// iso16363 are the clauses of ISO 16363 that records of a repository can show. The edition of 2025
// replaced that of 2012; its numbering was not available to the authors.
var iso16363 = frameworkSpec{Framework: Framework{ID: "ISO16363", Name: "ISO 16363, audit of trustworthy repositories",
	Edition: "2012", Source: "https://www.iso.org/standard/56510.html",
	Note: "ISO 16363:2025 replaced this edition. Its numbers of clauses were not available when this table was made, " +
		"so the rows have those of 2012. Only clauses on which records of the repository say something are here."},
	rows: []rowSpec{
		iso("3.3.5", "Integrity measures", "The repository collects and shows its measures of integrity.",
			spec{"ISO-3.3.5-fixity", "All content is read at fixed intervals.", auditedOnTime}),
		iso("4.1.5", "Ingest", "Each submission is verified for completeness and correctness.",
			spec{"ISO-4.1.5-verified", "Every package was checked against its digests when it was stored.", ingested}),
		iso("4.1.7", "Ingest", "Producers are informed during ingest.",
			spec{"ISO-4.1.7-informed", "Producers get answers at agreed points of ingest.", nil}),
		iso("4.1.8", "Ingest", "Records are kept of actions and processes of acquisition.",
			spec{"ISO-4.1.8-records", "Actions on stored content are recorded as events.", eventsRecorded}),
		iso("4.2.3", "Packages", "The fate of every submission is documented.",
			spec{"ISO-4.2.3-fate", "Submissions that were refused are documented.",
				outsideRecords("The repository records " +
					"packages that it stored, and none that it refused.")},
			spec{"ISO-4.2.3-documented", "The fate of every submission is documented outside the repository.", nil}),
		iso("4.2.4", "Packages", "Each package has a persistent, unique identifier.",
			spec{"ISO-4.2.4-ids", "Each package has one identifier of its own.", uniqueIDs}),
		iso("4.2.8", "Packages", "Each package is verified for completeness when it is made.",
			spec{"ISO-4.2.8-verified", "Each copy was read back and compared after writing.", readBack}),
		iso("4.2.9", "Packages", "The integrity of the whole collection is verified independently.",
			spec{"ISO-4.2.9-whole", "The catalogue and all copies were compared in a complete audit.", wholeAudited}),
		iso("4.2.10", "Packages", "Records of the creation of packages are kept at the time.",
			spec{"ISO-4.2.10-records", "Each package has an event of its ingest.", ingested}),
		iso("4.4.1.2", "Preservation", "The integrity of packages is monitored, with digests kept apart.",
			spec{"ISO-4.4.1.2-monitored", "All content is read at fixed intervals.", auditedOnTime},
			spec{"ISO-4.4.1.2-apart", "Digests are also kept apart from the content.", digestsApart}),
		iso("4.4.2", "Preservation", "Records of storage and preservation are made at the time of the action.",
			spec{"ISO-4.4.2-records", "Actions on stored content are recorded as events.", eventsRecorded}),
		iso("4.4.2.2", "Preservation", "Actions followed their specification.",
			spec{"ISO-4.4.2.2-outcomes", "Each recorded action has an outcome.", outcomesRecorded}),
		iso("4.6.1.1", "Access", "Failures of access are recorded and reviewed.",
			spec{"ISO-4.6.1.1-failures", "Failures of access are recorded.",
				outsideRecords("Access logs of servers are not " +
					"in the repository.")},
			spec{"ISO-4.6.1.1-reviewed", "Failures of access are reviewed.", nil}),
		iso("5.1.1.3", "Infrastructure", "Damage and loss are detected.",
			spec{"ISO-5.1.1.3-detected", "The catalogue and all copies were compared in a complete audit.",
				wholeAudited}),
		iso("5.1.1.3.1", "Infrastructure", "All damage is reported, and repaired.",
			spec{"ISO-5.1.1.3.1-reported", "All recorded damage is listed in this report.", incidentsListed},
			spec{"ISO-5.1.1.3.1-repaired", "Damaged content was replaced from a good copy.", repaired}),
		iso("5.1.2", "Infrastructure", "Number and place of all copies are managed, and they are synchronized.",
			spec{"ISO-5.1.2-copies", "There are two complete copies.", completeCopies(2)},
			spec{"ISO-5.1.2-synchronized", "No copy lacks a package.", synchronized},
			spec{"ISO-5.1.2-places", "The place of each copy is attested.", placesOfCopies(1)}),
	}}

func iso(id, area, text string, claims ...spec) rowSpec {
	return rowSpec{id: id, area: area, text: text, claims: claims}
}
