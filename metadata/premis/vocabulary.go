package premis

// base is the base URI of the Library of Congress's preservation vocabularies.
const base = "http://id.loc.gov/vocabulary/preservation/"

// The terms with known URIs, made once, because a million objects use the same few. The codes are
// the ends of the URIs.
var (
	eventTypes = terms("eventType", map[string]string{
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
	})
	eventOutcomes = terms("eventOutcome", map[string]string{"success": "suc", "fail": "fai", "warning": "war"})
	hashFunctions = terms("cryptographicHashFunctions", map[string]string{
		"MD5": "md5", "SHA-1": "sha1", "SHA-256": "sha256", "SHA-384": "sha384", "SHA-512": "sha512",
	})
)

func terms(name string, codes map[string]string) map[string]Term {
	out := map[string]Term{}
	for text, code := range codes {
		out[text] = Term{Text: text, Authority: name, AuthorityURI: base + name, ValueURI: base + name + "/" + code}
	}
	return out
}

// EventType returns a term of the vocabulary eventType ("capture", "virus check"), with its URI if
// the vocabulary has the term.
func EventType(term string) Term { return known(eventTypes, term) }

// EventOutcome returns a term of the vocabulary eventOutcome: "success", "fail", "warning".
func EventOutcome(term string) Term { return known(eventOutcomes, term) }

// HashFunction returns a term of cryptographicHashFunctions, by its name in METS: "SHA-512".
func HashFunction(name string) Term {
	return known(hashFunctions, name)
}

// AgentType returns a term of agentType: "hardware", "organization", "person", "software".
func AgentType(term string) Term { return uncoded("agentType", term) }

// AgentRole returns a term of eventRelatedAgentRole: "executing program", "implementer",
// "authorizer", "validator".
func AgentRole(term string) Term { return uncoded("eventRelatedAgentRole", term) }

// ObjectRole returns a term of eventRelatedObjectRole: "source", "outcome".
func ObjectRole(term string) Term { return uncoded("eventRelatedObjectRole", term) }

// PreservationLevelRole returns a term of preservationLevelRole: "requirement", "intention",
// "capability".
func PreservationLevelRole(term string) Term { return uncoded("preservationLevelRole", term) }

// RelationshipType returns a term of relationshipType: "structural", "derivation", "replacement".
func RelationshipType(term string) Term { return uncoded("relationshipType", term) }

// RelationshipSubType returns a term of relationshipSubType: "is part of", "has source".
func RelationshipSubType(term string) Term { return uncoded("relationshipSubType", term) }

// RightsBasis returns a term of rightsBasis: "copyright", "license", "statute", "other".
func RightsBasis(term string) Term { return uncoded("rightsBasis", term) }

// known looks a term up. A term outside the vocabulary keeps its text, without authority.
func known(vocabulary map[string]Term, text string) Term {
	if t, ok := vocabulary[text]; ok {
		return t
	}
	return Term{Text: text}
}

// uncoded returns a Term of a vocabulary without known codes: it names the vocabulary, but has no
// URI.
func uncoded(name, term string) Term {
	if term == "" {
		return Term{}
	}
	return Term{Text: term, Authority: name, AuthorityURI: base + name}
}
