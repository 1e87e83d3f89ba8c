package premis

// base is where the Library of Congress keeps the preservation vocabularies.
const base = "http://id.loc.gov/vocabulary/preservation/"

// The terms whose URIs are known, made once: a million objects carry the same few. The codes are
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

// EventType gives a term of the vocabulary eventType ("capture", "virus check"), with its URI where
// the term is one of the vocabulary.
func EventType(term string) Term { return known(eventTypes, term) }

// EventOutcome gives a term of the vocabulary eventOutcome: "success", "fail", "warning".
func EventOutcome(term string) Term { return known(eventOutcomes, term) }

// HashFunction gives a term of cryptographicHashFunctions, by the name METS uses: "SHA-512".
func HashFunction(name string) Term {
	return known(hashFunctions, name)
}

// AgentType gives a term of agentType: "hardware", "organization", "person", "software".
func AgentType(term string) Term { return uncoded("agentType", term) }

// AgentRole gives a term of eventRelatedAgentRole: "executing program", "implementer",
// "authorizer", "validator".
func AgentRole(term string) Term { return uncoded("eventRelatedAgentRole", term) }

// ObjectRole gives a term of eventRelatedObjectRole: "source", "outcome".
func ObjectRole(term string) Term { return uncoded("eventRelatedObjectRole", term) }

// PreservationLevelRole gives a term of preservationLevelRole: "requirement", "intention",
// "capability".
func PreservationLevelRole(term string) Term { return uncoded("preservationLevelRole", term) }

// RelationshipType gives a term of relationshipType: "structural", "derivation", "replacement".
func RelationshipType(term string) Term { return uncoded("relationshipType", term) }

// RelationshipSubType gives a term of relationshipSubType: "is part of", "has source".
func RelationshipSubType(term string) Term { return uncoded("relationshipSubType", term) }

// RightsBasis gives a term of rightsBasis: "copyright", "license", "statute", "other".
func RightsBasis(term string) Term { return uncoded("rightsBasis", term) }

// known looks a term up. One the vocabulary does not have keeps its text and claims no authority.
func known(vocabulary map[string]Term, text string) Term {
	if t, ok := vocabulary[text]; ok {
		return t
	}
	return Term{Text: text}
}

// uncoded makes a Term of a vocabulary whose codes this package does not know: it names the
// vocabulary, not the URI.
func uncoded(name, term string) Term {
	if term == "" {
		return Term{}
	}
	return Term{Text: term, Authority: name, AuthorityURI: base + name}
}
