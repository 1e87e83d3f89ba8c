package ocfl

// Explain says in a sentence what the rule behind a validation code asks for, or nothing for a code
// that OCFL 1.1 does not have. The codes are those of the specification
// (https://ocfl.io/1.1/spec/validation-codes.html), the words are ours.
func Explain(code string) string { return explanations[code] }

// codeFor gives the code under which OCFL 1.0 or 1.1 knows a problem, and whether it is one there
// at all. The checks speak in codes of 1.1; 1.0 had fewer and coarser ones. An unknown version is
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

// codesOf10 maps codes that 1.1 added to what 1.0 says about the same; to nothing where 1.0 allows
// it.
var codesOf10 = map[string]string{
	"E104": "E046",
	"E105": "E046",
	"E106": "E041",
	"E107": "", // 1.0 allows content that no version uses
	"E108": "E017",
	"E110": "", // 1.0 has only E037, which is reported beside it
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
	"E006": "After 0= the name of the declaration goes on with ocfl_object_ and the OCFL version.",
	"E007": "The declaration contains what follows 0= in its name, and the end of the line.",

	// Version directories (clause 3.3).
	"E008": "An object has at least one version.",
	"E009": "Versions are counted from 1.",
	"E010": "Versions are counted without a gap.",
	"E011": "Where version numbers are padded, every version directory begins with v and a zero.",
	"E012": "Version numbers are either all unpadded, or all padded to the same number of digits.",
	"E013": "A later version is named in the way the first version was named.",
	"E014": "Inventories refer to a version directory by the name it really has.",
	"E015": "In a version directory the only files are the inventory and its sidecar.",
	"E016": "A version that adds files has a content directory.",
	"E017": "The name of the content directory contains no slash.",
	"E018": "The content directory is not called . or ...",
	"E019": "A content directory with a name of its own has that name from the first version on.",
	"E020": "All versions of an object call their content directory the same.",
	"E021": "Without contentDirectory in the inventory, the content directory is called content.",
	"E022": "Directories beside the content directory are ignored by every tool.",
	"E023": "Every file in a content directory stands in the manifest of that version's inventory.",
	"E024": "There is no empty directory within a content directory.",

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
	"E049": "The time of creation is given as RFC 3339 says: with seconds and a time zone.",
	"E050": "Each digest in a state stands in the manifest, written in the same way.",
	"E051": "A logical path is made of elements separated by forward slashes.",
	"E052": "No element of a logical path is empty, . or ...",
	"E053": "A logical path neither begins nor ends with a slash.",
	"E054": "The user of a version has a name.",
	"E055": "The block of additional digests is called fixity.",
	"E056": "The fixity block uses the names of the digest algorithms that are defined.",
	"E057": "Below each algorithm the fixity block is built like the manifest.",

	// Sidecars, inventories in versions, extensions (clauses 3.6 to 3.9).
	"E058": "Beside every inventory stands a sidecar with its digest.",
	"E059": "The sidecar's name ends with the inventory's digestAlgorithm.",
	"E060": "The sidecar contains the digest that the inventory really has.",
	"E061": "The sidecar reads: digest, spaces, inventory.json.",
	"E062": "The sidecar is written after the inventory is final.",
	"E063": "There is an inventory in the object's folder.",
	"E064": "The inventory in the object's folder is the same as the one in the latest version.",
	"E066": "What earlier inventories say about the state of a version is what the current one says.",
	"E067": "The object's extensions folder contains only folders, one for each extension.",

	// The storage root (clause 4).
	"E069": "A storage root declares itself as such.",
	"E070": "ocfl_layout.json is a JSON object with extension and description.",
	"E071": "The extension in ocfl_layout.json is the name of a registered extension.",
	"E072": "The folders that lead to objects contain no file that belongs to no object.",
	"E073": "No directory below a storage root is empty.",
	"E074": "Each storage root stands for itself.",
	"E075": "The declaration of a storage root is a file as NAMASTE describes it.",
	"E076": "Exactly one file in the storage root declares its OCFL version, by its name.",
	"E077": "The root's declaration is named 0=ocfl_ and the number of a version of OCFL.",
	"E078": "The name of the root's declaration begins with 0=.",
	"E079": "After 0= the name of the root's declaration goes on with ocfl_ and the OCFL version.",
	"E080": "The root's declaration contains what follows 0= in its name, and the end of the line.",
	"E081": "No object declares a later OCFL version than the storage root it is in.",
	"E082": "An object lies at the end of a path of folders, or directly in the storage root; never inside another " +
		"object.",
	"E083": "There is a rule that gives each identifier exactly one place.",
	"E084": "Folders on the way to objects contain no files.",
	"E085": "Every path of folders ends at an object.",
	"E087": "Files in the storage root that a tool does not know are ignored by it.",
	"E088": "A storage root contains only the folders that lead to objects, and extensions.",
	"E089": "What is no regular file is wrapped in a disk image or another file before it is stored.",
	"E090": "There are no links.",

	// Content and its paths (clauses 3.5.2 to 3.5.4).
	"E092": "Each content path in the manifest leads to a file that has the given digest.",
	"E093": "Each additional digest is the digest that the file really has.",
	"E094": "The message of a version is a string.",
	"E095": "Within a version a logical path stands once, and no file's path is a folder of another.",
	"E096": "A digest stands once in the manifest, whatever case it is written in.",
	"E097": "A digest stands once for each algorithm in the fixity block, whatever case it is written in.",
	"E098": "A content path is made of elements separated by forward slashes.",
	"E099": "No element of a content path is empty, . or ...",
	"E100": "A content path neither begins nor ends with a slash.",
	"E101": "A content path stands once in an inventory, and no file's path is a folder of another.",
	"E102": "The inventory has no keys but those that are specified.",

	// What 1.1 added.
	"E103": "No version conforms to an older OCFL version than the version before it.",
	"E104": "The name of a version directory begins with v.",
	"E105": "After the v comes a positive decimal number.",
	"E106": "The manifest is a JSON object.",
	"E107": "Each digest in the manifest is used by the state of some version.",
	"E108": "The content directory is a direct child of the version directory.",
	"E110": "All versions of an object have the same id.",
	"E111": "The fixity block is a JSON object.",
	"E112": "The storage root's extensions folder contains only folders, one for each extension.",

	// What should be so.
	"W001": "Version numbers should not be padded with zeros.",
	"W002": "A version directory should contain no folder but the content directory.",
	"W003": "A version that adds no files should have no content directory.",
	"W004": "Content should be addressed by sha512.",
	"W005": "The id should be a URI.",
	"W007": "Each version should have a message and a user.",
	"W008": "The user of a version should have an address.",
	"W009": "The user's address should be a URI: mailto, or the URL of a personal identifier.",
	"W010": "Every version directory should have an inventory.",
	"W011": "Earlier inventories should give the same created, message and user for a version as the current one.",
	"W012": "The logs folder should be used for records of what was done to the object.",
	"W013": "Folders in the object's extensions should be named after registered extensions.",
	"W014": "A storage root should use one layout only.",
	"W015": "Objects should lie either all in the storage root itself, or all below folders.",
	"W016": "Folders in the storage root's extensions should be named after registered extensions.",
}
