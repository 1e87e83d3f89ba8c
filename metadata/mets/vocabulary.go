package mets

import "slices"

// The closed lists of METS 1.12.1.
var (
	mdTypes = []string{"MARC", "MODS", "EAD", "DC", "NISOIMG", "LC-AV", "VRA", "TEIHDR", "DDI", "FGDC", "LOM", "PREMIS",
		"PREMIS:OBJECT", "PREMIS:AGENT", "PREMIS:RIGHTS", "PREMIS:EVENT", "TEXTMD", "METSRIGHTS", "ISO 19115:2003 NAP",
		"EAC-CPF", "LIDO", "OTHER"}
	locTypes      = []string{"URL", "ARK", "URN", "PURL", "HANDLE", "DOI", "OTHER"}
	checksumTypes = []string{"SHA-512", "SHA-256", "SHA-1", "MD5", "Adler-32", "CRC32", "HAVAL", "MNP", "SHA-384",
		"TIGER",
		"WHIRLPOOL"}
	agentRoles = []string{"CREATOR", "EDITOR", "ARCHIVIST", "PRESERVATION", "DISSEMINATOR", "CUSTODIAN", "IPOWNER",
		"OTHER"}
	agentTypes     = []string{"INDIVIDUAL", "ORGANIZATION", "OTHER"}
	transformTypes = []string{"decompression", "decryption"}
	shapes         = []string{"RECT", "CIRCLE", "POLY"}
	extTypes       = []string{"BYTE", "SMIL", "MIDI", "SMPTE-25", "SMPTE-24", "SMPTE-DF30", "SMPTE-NDF30",
		"SMPTE-DF29.97", "SMPTE-NDF29.97", "TIME", "TCF"}
	beTypes = append([]string{"IDREF", "XPTR"}, extTypes...)
)

// allowed reports whether value is in the list, or empty.
func allowed(list []string, value string) bool {
	return value == "" || slices.Contains(list, value)
}
