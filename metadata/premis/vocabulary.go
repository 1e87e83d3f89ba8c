package premis

// base is where the Library of Congress keeps the preservation vocabularies.
const base = "http://id.loc.gov/vocabulary/preservation/"

// The codes that stand at the end of the URI of a term.
var (
	eventTypes = map[string]string{
		"accession": "acc", "appraisal": "app", "capture": "cap", "compression": "cmp", "creation": "cre",
		"deaccession": "dea", "decompression": "dec", "decryption": "der", "deletion": "del",
		"digital signature generation": "dig", "digital signature validation": "dsv", "dissemination": "dis",
		"encryption": "enc", "exporting": "exp", "extraction": "ext", "filename change": "fil", "fixity check": "fix",
		"format identification": "foi", "information package creation": "ipc", "information package merging": "ipm",
		"information package splitting": "ips", "ingestion": "ing", "message digest calculation": "mes",
		"metadata modification": "mem", "migration": "mig", "modification": "mod", "normalization": "nor",
		"packing": "pac", "policy assignment": "poa", "quarantine": "qua", "recovery": "rec", "redaction": "red",
		"refreshment": "ref", "replication": "rep", "transfer": "tra", "unpacking": "unp", "validation": "val",
		"virus check": "vir",
	}
	eventOutcomes = map[string]string{"success": "suc", "fail": "fai", "warning": "war"}
	hashFunctions = map[string]string{
		"MD5": "md5", "SHA-1": "sha1", "SHA-256": "sha256", "SHA-384": "sha384", "SHA-512": "sha512",
	}
)

// EventType gives a term of the vocabulary eventType ("capture", "virus check"), with its URI where the term is one of
// the vocabulary.
func EventType(term string) Term { return vocabulary("eventType", term, eventTypes) }

// EventOutcome gives a term of the vocabulary eventOutcome: "success", "fail", "warning".
func EventOutcome(term string) Term { return vocabulary("eventOutcome", term, eventOutcomes) }

// HashFunction gives a term of cryptographicHashFunctions, by the name METS uses: "SHA-512".
func HashFunction(name string) Term {
	return vocabulary("cryptographicHashFunctions", name, hashFunctions)
}

// AgentType gives a term of agentType: "hardware", "organization", "person", "software".
func AgentType(term string) Term { return uncoded("agentType", term) }

// AgentRole gives a term of eventRelatedAgentRole: "executing program", "implementer", "authorizer", "validator".
func AgentRole(term string) Term { return uncoded("eventRelatedAgentRole", term) }

// ObjectRole gives a term of eventRelatedObjectRole: "source", "outcome".
func ObjectRole(term string) Term { return uncoded("eventRelatedObjectRole", term) }

// RelationshipType gives a term of relationshipType: "structural", "derivation", "replacement".
func RelationshipType(term string) Term { return uncoded("relationshipType", term) }

// RelationshipSubType gives a term of relationshipSubType: "is part of", "has source".
func RelationshipSubType(term string) Term { return uncoded("relationshipSubType", term) }

// RightsBasis gives a term of rightsBasis: "copyright", "license", "statute", "other".
func RightsBasis(term string) Term { return uncoded("rightsBasis", term) }

// vocabulary makes a Term. A term the vocabulary does not have keeps its text and claims no authority.
func vocabulary(name, term string, codes map[string]string) Term {
	code, ok := codes[term]
	if !ok {
		return Term{Text: term}
	}
	return Term{Text: term, Authority: name, AuthorityURI: base + name, ValueURI: base + name + "/" + code}
}

// uncoded makes a Term of a vocabulary whose codes this package does not know: it names the vocabulary, not the URI.
func uncoded(name, term string) Term {
	if term == "" {
		return Term{}
	}
	return Term{Text: term, Authority: name, AuthorityURI: base + name}
}
