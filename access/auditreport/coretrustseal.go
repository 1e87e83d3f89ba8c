package auditreport

// coreTrustSeal are the CoreTrustSeal requirements. The evidence of an application is public; this
// report prepares it.
var coreTrustSeal = frameworkSpec{Framework: Framework{ID: "CTS", Name: "CoreTrustSeal Requirements",
	Edition: "2026–2028", Source: "https://doi.org/10.5281/zenodo.17660462",
	Note: "Each requirement needs a response of the institution with public evidence. The records add to it."},
	rows: []rowSpec{
		cts("R01", "Mission & Scope", "The institution has a mission to preserve and give access to its holdings."),
		cts("R02", "Rights Management", "Rights and licences are managed, and compliance is monitored.",
			spec{"CTS-R02-rights", "Each package has a rights statement, or a rule on access.", rightsStated},
			spec{"CTS-R02-takedowns", "Withdrawals are recorded with reason and authority.", withdrawalsRecorded}),
		cts("R03", "Continuity of Service", "There is a plan for continued access and preservation."),
		cts("R04", "Legal & Ethical", "Legal and ethical norms are met."),
		cts("R05", "Governance & Resources", "Funding, staff and governance are sufficient."),
		cts("R06", "Expertise & Guidance", "The institution adopts expert guidance and feedback."),
		cts("R07", "Provenance and authenticity", "Authenticity is guaranteed, and provenance is recorded.",
			spec{"CTS-R07-changes", "Each change of a package is a version, and has an event.", changesRecorded}),
		cts("R08", "Deposit, Appraisal & Accessibility", "Criteria for deposit and appraisal are applied.",
			spec{"CTS-R08-accepted", "Every package was checked against its digests when it was stored.", ingested},
			spec{"CTS-R08-policy", "Packages were judged by a policy before they were stored.", policyAtIngest}),
		cts("R09", "Preservation plan", "Responsibility for long-term preservation is planned and documented."),
		cts("R10", "Quality Assurance", "The quality of data and metadata is addressed.",
			spec{"CTS-R10-described", "The METS of each package can be read.", described},
			spec{"CTS-R10-formats", "The formats of payloads are identified and recorded.", formatsIdentified}),
		cts("R11", "Workflows", "Work follows defined workflows from deposit to access.",
			spec{"CTS-R11-runs", "Each check is recorded with its outcome.", auditsRecorded},
			spec{"CTS-R11-exceptions", "Damaged content was replaced from a good copy.", repaired}),
		cts("R12", "Discovery and Identification", "Users can discover the holdings and refer to them persistently.",
			spec{"CTS-R12-ids", "Each package has one identifier of its own.", uniqueIDs}),
		cts("R13", "Reuse", "Content can be reused over time, with sufficient metadata."),
		cts("R14", "Storage & Integrity", "Storage processes ensure integrity, and are documented.",
			spec{"CTS-R14-copies", "There are two complete copies.", completeCopies(2)},
			spec{"CTS-R14-places", "The copies lie in separate places.", placesOfCopies(2)},
			spec{"CTS-R14-fixity", "All content is read at fixed intervals.", auditedOnTime},
			spec{"CTS-R14-repair", "Damaged content was replaced from a good copy.", repaired},
			spec{"CTS-R14-deletion", "Content is deleted only by an approved, documented process.", nil}),
		cts("R15", "Technical Infrastructure", "The infrastructure is appropriate, and its software is known.",
			spec{"CTS-R15-software", "The program and its version are recorded.", softwareKnown}),
		cts("R16", "Security", "Technical infrastructure and content are protected.",
			spec{"CTS-R16-access", "Access by people is logged.", outsideRecords("Access logs of servers are not in " +
				"the " +
				"repository.")}),
	}}

// cts returns a requirement with the institution's response, and the claims that records show.
func cts(id, name, text string, claims ...spec) rowSpec {
	return rowSpec{id: id, area: name, text: text,
		claims: append([]spec{{"CTS-" + id + "-response", "Response of the institution, with public evidence: " + text,
			nil}}, claims...)}
}
