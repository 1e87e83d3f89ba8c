package ocfl

// Explain returns the rule behind a validation code in one sentence, or "" if OCFL 1.1 has no such
// code. The codes come from the specification (https://ocfl.io/1.1/spec/validation-codes.html), the
// wording is ours.
func Explain(code string) string { return explanations[code] }

// codeFor returns the code of a problem in OCFL 1.0 or 1.1, and whether that version has the code.
// The checks use codes of 1.1. Version 1.0 had fewer and coarser codes. An unknown version is
// treated as 1.1.
func codeFor(code, spec string) (string, bool) {
	if spec != "1.0" {
		return code, true
	}
	older, changed := codesOf10[code]
	if !changed {
		return code, true
	}
	return older, older != ""
}

// codesOf10 maps codes that 1.1 added to the equivalent codes of 1.0, or to "" where 1.0 has no
// such rule.
var codesOf10 = map[string]string{
	"E104": "E046",
	"E105": "E046",
	"E106": "E041",
	"E107": "", // 1.0 allows content that no version uses
	"E108": "E017",
	"E110": "", // 1.0 has only E037, reported as well
	"E111": "E057",
	"E112": "E067",
	"W016": "W013",
}

var explanations = map[string]string{
	// The object's folder and its declaration (clauses 3.1 and 3.2).
	"E001": "The object's folder holds only the declaration, the inventory and its sidecar, version directories, " +
		"logs and extensions.",
	"E002": "The declaration of the OCFL version is a file as NAMASTE describes it.",
	"E003": "Exactly one file in the object's folder declares the OCFL version, by its name.",
	"E004": "The declaration is named 0=ocfl_object_ and the number of a version of OCFL.",
	"E005": "The name of the declaration begins with 0=.",
	"E006": "After 0=, the name of the declaration continues with ocfl_object_ and the OCFL version.",
	"E007": "The declaration contains the part of its name after 0=, and a line end.",

	// Version directories (clause 3.3).
	"E008": "An object has at least one version.",
	"E009": "Versions are counted from 1.",
	"E010": "Versions are counted without a gap.",
	"E011": "Where version numbers are padded, every version directory begins with v and a zero.",
	"E012": "Version numbers are either all unpadded, or all padded to the same number of digits.",
	"E013": "A later version follows the naming of the first version.",
	"E014": "Inventories refer to a version directory by its actual name.",
	"E015": "In a version directory the only files are the inventory and its sidecar.",
	"E016": "A version that adds files has a content directory.",
	"E017": "The name of the content directory contains no slash.",
	"E018": "The content directory is not called . or ...",
	"E019": "A content directory with a non-default name has that name from the first version on.",
	"E020": "All versions of an object use the same name for their content directory.",
	"E021": "Without contentDirectory in the inventory, the content directory is called content.",
	"E022": "Directories beside the content directory are ignored by every tool.",
	"E023": "The manifest of a version's inventory lists every file in the content directory.",
	"E024": "A content directory contains no empty directory.",

	// Digests (clause 3.4).
	"E025": "Content is addressed by sha512 or sha256.",
	"E026": "Additional digests use algorithms of the specification's list or of the registered extension to it.",
	"E027": "Every tool knows all algorithms of the specification's list.",
	"E028": "An additional algorithm that a tool does not know is ignored by it.",
	"E029": "A SHA-1 digest is written as 40 hexadecimal digits.",
	"E030": "A SHA-256 digest is written as 64 hexadecimal digits.",
	"E031": "A SHA-512 digest is written as 128 hexadecimal digits.",
	"E032": "A BLAKE2b-512 digest is written as 128 hexadecimal digits.",

	// The inventory (clause 3.5).
	"E033": "The inventory is a JSON document in UTF-8, built as the specification says.",
	"E034": "The inventory's file is called inventory.json.",
	"E035": "Content paths are separated by forward slashes.",
	"E036": "The inventory has id, type, digestAlgorithm and head.",
	"E037": "The id identifies one object, and only that one.",
	"E038": "The type in the root inventory names the OCFL version that the object declares.",
	"E039": "The manifest and the states use the inventory's digestAlgorithm.",
	"E040": "The head is the version directory with the highest number.",
	"E041": "The inventory has the blocks manifest and versions.",
	"E042": "Content paths start at the object's folder and lead into the content directory of a version.",
	"E043": "The inventory describes the versions.",
	"E044": "The block that describes the versions is called versions.",
	"E045": "The versions block is a JSON object.",
	"E046": "The versions in the inventory are the version directories that exist, under the same names.",
	"E047": "Each version is described by a JSON object.",
	"E048": "Each version has created and state.",
	"E049": "The time of creation follows RFC 3339: with seconds and a time zone.",
	"E050": "The manifest lists each digest of a state, in the same spelling.",
	"E051": "A logical path is made of elements separated by forward slashes.",
	"E052": "No element of a logical path is empty, . or ...",
	"E053": "A logical path neither begins nor ends with a slash.",
	"E054": "The user of a version has a name.",
	"E055": "The block of additional digests is called fixity.",
	"E056": "The fixity block uses the defined names of the digest algorithms.",
	"E057": "Below each algorithm, the fixity block has the structure of the manifest.",

	// Sidecars, inventories in versions, extensions (clauses 3.6 to 3.9).
	"E058": "Every inventory has a sidecar with its digest.",
	"E059": "The sidecar's name ends with the inventory's digestAlgorithm.",
	"E060": "The sidecar contains the actual digest of the inventory.",
	"E061": "The sidecar contains: digest, spaces, inventory.json.",
	"E062": "The sidecar is written after the inventory is final.",
	"E063": "There is an inventory in the object's folder.",
	"E064": "The inventory in the object's folder is the same as the one in the latest version.",
	"E066": "The current inventory states the same about each version as the earlier inventories.",
	"E067": "The object's extensions folder contains only folders, one for each extension.",

	// The storage root (clause 4).
	"E069": "A storage root declares itself as such.",
	"E070": "ocfl_layout.json is a JSON object with extension and description.",
	"E071": "The extension in ocfl_layout.json is the name of a registered extension.",
	"E072": "Folders above objects contain only files that belong to an object.",
	"E073": "No directory below a storage root is empty.",
	"E074": "Each storage root is independent.",
	"E075": "The declaration of a storage root is a file as NAMASTE describes it.",
	"E076": "Exactly one file in the storage root declares its OCFL version, by its name.",
	"E077": "The root's declaration is named 0=ocfl_ and the number of a version of OCFL.",
	"E078": "The name of the root's declaration begins with 0=.",
	"E079": "After 0=, the name of the root's declaration continues with ocfl_ and the OCFL version.",
	"E080": "The root's declaration contains the part of its name after 0=, and a line end.",
	"E081": "No object declares a later OCFL version than its storage root.",
	"E082": "An object is at the end of a path of folders, or directly in the storage root; never inside " +
		"another object.",
	"E083": "One rule assigns each identifier exactly one place.",
	"E084": "Folders above objects contain no files.",
	"E085": "Every path of folders ends at an object.",
	"E087": "Files in the storage root that a tool does not know are ignored by it.",
	"E088": "A storage root contains only the folders that lead to objects, and extensions.",
	"E089": "Anything except a regular file is wrapped in a disk image or another file before storage.",
	"E090": "Links are not allowed.",

	// Content and its paths (clauses 3.5.2 to 3.5.4).
	"E092": "Each content path in the manifest leads to a file with the given digest.",
	"E093": "Each additional digest is the actual digest of the file.",
	"E094": "The message of a version is a string.",
	"E095": "Within a version a logical path occurs once, and no file's path is a folder of another.",
	"E096": "A digest occurs only once in the manifest, regardless of case.",
	"E097": "A digest occurs only once for each algorithm in the fixity block, regardless of case.",
	"E098": "A content path is made of elements separated by forward slashes.",
	"E099": "No element of a content path is empty, . or ...",
	"E100": "A content path neither begins nor ends with a slash.",
	"E101": "A content path occurs once in an inventory, and no file's path is a folder of another.",
	"E102": "The inventory has only the specified keys.",

	// Codes that 1.1 added.
	"E103": "No version conforms to an older OCFL version than the version before it.",
	"E104": "The name of a version directory begins with v.",
	"E105": "After the v comes a positive decimal number.",
	"E106": "The manifest is a JSON object.",
	"E107": "The state of some version uses each digest of the manifest.",
	"E108": "The content directory is a direct child of the version directory.",
	"E110": "All versions of an object have the same id.",
	"E111": "The fixity block is a JSON object.",
	"E112": "The storage root's extensions folder contains only folders, one for each extension.",

	// Warnings.
	"W001": "Version numbers should not be padded with zeros.",
	"W002": "A version directory should contain no folder except the content directory.",
	"W003": "A version that adds no files should have no content directory.",
	"W004": "Content should be addressed by sha512.",
	"W005": "The id should be a URI.",
	"W007": "Each version should have a message and a user.",
	"W008": "The user of a version should have an address.",
	"W009": "The user's address should be a URI: mailto, or the URL of a personal identifier.",
	"W010": "Every version directory should have an inventory.",
	"W011": "Earlier inventories should have the same created, message and user for a version as the " +
		"current one.",
	"W012": "The logs folder should hold records of actions on the object.",
	"W013": "Folders in the object's extensions should be named after registered extensions.",
	"W014": "A storage root should use one layout only.",
	"W015": "Objects should be either all directly in the storage root, or all below folders.",
	"W016": "Folders in the storage root's extensions should be named after registered extensions.",
}
