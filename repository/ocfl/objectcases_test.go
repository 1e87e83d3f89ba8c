package ocfl

import (
	"io/fs"
	"path"
	"strings"
	"testing/fstest"
)

// objectCase changes one thing in the good object. A change to the inventory happens before the
// sidecars are written, damage afterwards.
type objectCase struct {
	name   string
	edit   func(*sample)
	damage func(fstest.MapFS)
	codes  string // all expected codes, and no others
	kind   Kind   // with path: an issue of this kind must be about this file
	path   string
}

var objectCases = []objectCase{
	{name: "a good object"},

	// Clause 3.1 and 3.2: the folder and the declaration.
	{name: "a file beside the inventory", damage: add("readme.txt", "x"), codes: "E001", kind: KindExtra,
		path: "readme.txt"},
	{name: "a folder beside the versions", damage: add("data/x", "x"), codes: "E001", kind: KindExtra, path: "data"},
	{name: "a logs folder", damage: add("logs/audit.xml", "x")},
	{name: "declaration is a folder", damage: both(drop("0=ocfl_object_1.1"), add("0=ocfl_object_1.1/x", "")),
		codes: "E002"},
	{name: "no declaration", damage: drop("0=ocfl_object_1.1"), codes: "E003"},
	{name: "two declarations", damage: add("0=ocfl_object_1.0", "ocfl_object_1.0\n"), codes: "E003"},
	{name: "declaration of an unknown version",
		damage: both(drop("0=ocfl_object_1.1"), add("0=ocfl_object_7", "ocfl_object_7\n")), codes: "E004"},
	{name: "declaration with another tag",
		damage: both(drop("0=ocfl_object_1.1"), add("1=ocfl_object_1.1", "ocfl_object_1.1\n")), codes: "E005"},
	{name: "declaration of something else", damage: both(drop("0=ocfl_object_1.1"), add("0=bagit_1.0", "bagit_1.0\n")),
		codes: "E006"},
	{name: "declaration without newline", damage: add("0=ocfl_object_1.1", "ocfl_object_1.1"), codes: "E007"},
	{name: "no folder at all", damage: func(m fstest.MapFS) { clear(m) }, codes: "E003", kind: KindMissing, path: "."},

	// Clause 3.3: versions.
	{name: "no versions", edit: func(s *sample) { s.v2 = cutVersions(s.v2) }, codes: "E008 E042 E046 E107"},
	{name: "versions start at 2", edit: func(s *sample) {
		rename("v2", "v3")(s)
		rename("v1", "v2")(s)
	}, codes: "E009"},
	{name: "a gap in the versions", edit: rename("v2", "v3"), codes: "E010"},
	{name: "padded, then not", edit: rename("v1", "v01"), codes: "E011 E013 W001"},
	{name: "padded in two ways", edit: func(s *sample) {
		rename("v1", "v01")(s)
		rename("v2", "v002")(s)
	}, codes: "E012 E013 W001"},
	{name: "a path with another padding", edit: replaceHead(`"v1/content/index.html"`, `"v01/content/index.html"`),
		codes: "E014 E023"},
	{name: "a file in a version directory", damage: add("v1/readme.txt", "x"), codes: "E015", kind: KindExtra,
		path: "v1/readme.txt"},
	{name: "a sidecar without inventory", damage: drop("v1/inventory.json"), codes: "E015 W010", kind: KindExtra,
		path: "v1/inventory.json.sha512"},
	{name: "a version without its content directory", damage: drop("v2/content/index.html"), codes: "E016 E092",
		kind: KindMissing, path: "v2/content/index.html"},
	{name: "content directory with a slash", edit: replace(`"manifest"`, `"contentDirectory": "a/b", "manifest"`),
		codes: "E017 E042 E108 W002"},
	{name: "content directory is the parent", edit: replace(`"manifest"`, `"contentDirectory": "..", "manifest"`),
		codes: "E018 E042 W002"},
	{name: "another content directory in v1",
		edit: replacePrior(`"manifest"`, `"contentDirectory": "stuff", "manifest"`), codes: "E019 E042"},
	{name: "another content directory in v2", edit: otherContentDirInHead, codes: "E020 E042 E064"},
	{name: "content directory is empty text", edit: replace(`"manifest"`, `"contentDirectory": "", "manifest"`),
		codes: "E108"},
	{name: "content directory is a number", edit: replace(`"manifest"`, `"contentDirectory": 7, "manifest"`),
		codes: "E108"},
	{name: "an extra file", damage: add("v1/content/more.html", "x"), codes: "E023", kind: KindExtra,
		path: "v1/content/more.html"},
	{name: "an empty folder in the content", damage: addDir("v1/content/empty"), codes: "E024"},
	{name: "an empty content directory", edit: movePage, damage: addDir("v2/content"), codes: "W003"},
	{name: "another folder in a version", damage: add("v1/manifests/x", "x"), codes: "W002"},
	{name: "a version that is not in the inventory", damage: add("v3/content/index.html", "x"), codes: "E046 W010",
		kind: KindExtra, path: "v3"},
	{name: "a version whose folder is gone",
		damage: drop("v2/content/index.html", "v2/inventory.json", "v2/inventory.json.sha512"), codes: "E046 E092",
		kind: KindMissing, path: "v2"},

	// Clause 3.4: digests.
	{name: "content addressed by md5", edit: replace(`"digestAlgorithm": "sha512"`, `"digestAlgorithm": "md5"`),
		codes: "E001 E015 E025 E039 E058 E059 E092"},
	{name: "an unknown fixity algorithm", edit: replace(`"md5": {`, `"crc7": {`), codes: "E056"},
	{name: "a short sha1", edit: replaceFixity("sha1", "abc123"), codes: "E029"},
	{name: "a short sha256", edit: replaceFixity("sha256", "abc123"), codes: "E030"},
	{name: "a short sha512", edit: replaceFixity("sha512", "abc123"), codes: "E031"},
	{name: "a blake2b-512 that is no hex", edit: replaceFixity("blake2b-512", "text"), codes: "E032"},
	{name: "an md5 that is no hex", edit: replaceFixity("md5", "text"), codes: "E057"},
	{name: "fixity by sha1", edit: replaceFixity("sha1", sum("sha1", style))},
	{name: "fixity by blake2b-512", edit: replaceFixity("blake2b-512", sum("blake2b-512", style))},
	{name: "fixity by blake2b-160", edit: replaceFixity("blake2b-160", strings.ToUpper(sum("blake2b-160", style)))},
	{name: "fixity by sha512/256", edit: replaceFixity("sha512/256", sum("sha512/256", style))},
	{name: "fixity by size", edit: replaceFixity("size", "19")},
	{name: "fixity by a wrong size", edit: replaceFixity("size", "20"), codes: "E093", kind: KindDigestMismatch,
		path: "v1/content/css/site.css"},
	{name: "a wrong md5", edit: replaceFixity("md5", sum("md5", "other")), codes: "E093", kind: KindDigestMismatch,
		path: "v1/content/css/site.css"},
	{name: "digests in upper case", edit: func(s *sample) {
		replace(sum(SHA512, style), strings.ToUpper(sum(SHA512, style)))(s)
	}},

	// Clause 3.5: the inventory as JSON.
	{name: "an empty inventory", damage: add("inventory.json", ""), codes: "E033 E060", kind: KindSidecarMismatch,
		path: "inventory.json"},
	{name: "a truncated inventory", damage: truncate("inventory.json"), codes: "E033 E060", kind: KindSidecarMismatch,
		path: "inventory.json"},
	{name: "NaN", edit: replace(`"message": "first harvest"`, `"message": NaN`), codes: "E033"},
	{name: "a key twice", edit: replace(`"head"`, `"id": "urn:example:1", "head"`), codes: "E033"},
	{name: "a byte order mark", edit: replaceHead("{\n  \"id\"", "\ufeff{\n  \"id\""), codes: "E033"},
	{name: "not UTF-8", edit: replace("first harvest", "first h\xe4rvest"), codes: "E033"},
	{name: "something after the end", edit: func(s *sample) { s.v2 += "{}" }, codes: "E033"},
	{name: "nested too deep", edit: replace(`"message": "first harvest"`, `"message": `+strings.Repeat("[", 100_000)),
		codes: "E033 E094"},
	{name: "a list, not an object", edit: func(s *sample) { s.v2 = "[1, 2]" }, codes: "E033"},
	{name: "an address that is a number", edit: replace(`"mailto:quire@example.org"`, `7`), codes: "E033 W008"},
	{name: "backslashes in a path", edit: replace(`"v1/content/index.html"`, `"v1\\content\\index.html"`),
		codes: "E023 E035"},
	{name: "no id", edit: replace(`"id": "urn:example:1",`, ""), codes: "E036"},
	{name: "an empty id", edit: replace(`"urn:example:1"`, `""`), codes: "E037"},
	{name: "an id that is a number", edit: replace(`"urn:example:1"`, `1`), codes: "E037"},
	{name: "an id that is no URI", edit: replace(`"urn:example:1"`, `"one"`), codes: "W005"},
	{name: "another id in v1", edit: replacePrior("urn:example:1", "urn:example:2"), codes: "E037 E110"},
	{name: "an unknown type", edit: replace("ocfl.io/1.1/", "ocfl.io/9.9/"), codes: "E038"},
	{name: "type and declaration differ",
		damage: both(drop("0=ocfl_object_1.1"), add("0=ocfl_object_1.0", "ocfl_object_1.0\n")), codes: "E038"},
	{name: "digests of another length", edit: replace(sum(SHA512, style), sum(SHA256, style)), codes: "E039 E092",
		kind: KindDigestMismatch, path: "v1/content/css/site.css"},
	{name: "head is not the latest", edit: replaceHead(`"head": "v2"`, `"head": "v1"`), codes: "E040 E064"},
	{name: "no manifest", edit: replace(`"manifest"`, `"manifesto"`), codes: "E041 E102 E023 E057"},
	{name: "manifest is a list", edit: replaceBlock("manifest", `["x"]`), codes: "E106 E023 E057"},
	{name: "content outside the object", edit: replace(`"v1/content/index.html"`, `"v9/content/index.html"`),
		codes: "E023 E042"},
	{name: "no versions block", edit: replaceHead(`"versions"`, `"revisions"`), codes: "E043 E046 E102"},
	{name: "versions is a list", edit: replaceBlock("versions", `[]`), codes: "E045 E046"},
	{name: "a version that is text", edit: replace(`"v1": {`, `"v3": "x", "v1": {`), codes: "E010 E040 E046 E047 W007"},
	{name: "a version without state", edit: replacePrior(`"state"`, `"status"`), codes: "E048 E066 E102 E107"},
	{name: "created without a zone", edit: replace("2024-05-06T07:08:09Z", "2024-05-06T07:08:09"), codes: "E049"},
	{name: "created with a comma", edit: replace("2024-05-06T07:08:09Z", "2024-05-06T07:08:09,5Z"), codes: "E049"},
	{name: "created in lower case, with a leap second",
		edit: replace("2024-05-06T07:08:09Z", "2016-12-31t23:59:60.5z")},
	{name: "a digest that the manifest lacks", edit: replaceState(sum(SHA512, pageOne), sum(SHA512, "other")),
		codes: "E050 E107"},
	{name: "a logical path that is a number", edit: replaceState(`"index.html"`, `7`), codes: "E051"},
	{name: "a logical path that climbs out", edit: replaceState(`"index.html"`, `"../index.html"`), codes: "E052"},
	{name: "a logical path from the root", edit: replaceState(`"index.html"`, `"/index.html"`), codes: "E052 E053"},
	{name: "a user without a name", edit: replace(`"name": "Quire",`, ""), codes: "E054"},
	{name: "a user without an address", edit: replace(",\n        \"address\": \"mailto:quire@example.org\"", ""),
		codes: "W008"},
	{name: "an address that is no URI", edit: replace("mailto:quire@example.org", "Quire Street 1"), codes: "W009"},
	{name: "no message", edit: replace(`"message": "first harvest",`, ""), codes: "W007"},
	{name: "a message that is a list", edit: replace(`"first harvest"`, `["first"]`), codes: "E094"},
	{name: "a logical path twice", edit: replaceState(`"index.html"`, `"index.html", "index.html"`), codes: "E095"},
	{name: "a logical path that is also a folder", edit: replaceState(`"index.html"`, `"index.html", "css"`),
		codes: "E095"},
	{name: "a digest twice in the manifest", edit: twice("manifest"), codes: "E096 E101"},
	{name: "a digest twice in other case", edit: twiceInOtherCase("manifest"), codes: "E096 E101 E107"},
	{name: "a digest twice in the fixity", edit: twiceInOtherCase("md5"), codes: "E097"},
	{name: "a content path with an empty element", edit: replace(`"v1/content/index.html"`, `"v1/content//index.html"`),
		codes: "E023 E099"},
	{name: "a content path with a slash at its end",
		edit: replace(`"v1/content/index.html"`, `"v1/content/index.html/"`), codes: "E023 E099 E100"},
	{name: "a content path that is also a folder",
		edit: replace(`"v1/content/index.html"`, `"v1/content/index.html", "v1/content/css"`), codes: "E092 E101",
		kind: KindMissing, path: "v1/content/css"},
	{name: "a key of our own", edit: replace(`"head"`, `"quire": {"x": [1, {"y": null}]}, "head"`), codes: "E102"},
	{name: "a key of our own in a version", edit: replace(`"message": "first`, `"quire": [], "message": "first`),
		codes: "E102"},
	{name: "a version without the v", edit: rename("v1", "1"), codes: "E001 E009 E046 E092 E093 E104"},
	{name: "version zero", edit: rename("v1", "v0"), codes: "E001 E009 E046 E092 E093 E105"},
	{name: "content that no version uses",
		edit:   replace(`"manifest": {`, `"manifest": { "`+sum(SHA512, "x")+`": ["v1/content/x"],`),
		damage: add("v1/content/x", "x"), codes: "E107"},
	{name: "a digest without paths", edit: replace(`"v1/content/index.html"`, ``), codes: "E023 E092"},
	{name: "fixity is null", edit: replaceBlock("fixity", `null`), codes: "E111"},
	{name: "fixity of an algorithm is text", edit: replaceBlock("md5", `"x"`), codes: "E057"},
	{name: "fixity for a file that is not there", edit: replaceFixityPath("v1/content/other"), codes: "E057 E093",
		kind: KindMissing, path: "v1/content/other"},

	// Clauses 3.6 to 3.9: sidecars, earlier inventories, extensions.
	{name: "no sidecar", damage: drop("inventory.json.sha512"), codes: "E058", kind: KindMissing,
		path: "inventory.json.sha512"},
	{name: "a sidecar by another algorithm", edit: func(s *sample) { s.suffix[""] = SHA256 }, codes: "E001 E058 E059"},
	{name: "a second sidecar", damage: add("inventory.json.md5", "x"), codes: "E001", kind: KindExtra,
		path: "inventory.json.md5"},
	{name: "a flipped digit in the sidecar",
		damage: add("inventory.json.sha512", strings.Repeat("ab", 64)+" inventory.json\n"), codes: "E060",
		kind: KindSidecarMismatch, path: "inventory.json"},
	{name: "swapped sidecars", damage: swap("inventory.json.sha512", "v1/inventory.json.sha512"), codes: "E060",
		kind: KindSidecarMismatch, path: "v1/inventory.json"},
	{name: "a sidecar that is something else", damage: add("inventory.json.sha512", "hello\n"), codes: "E061",
		kind: KindSidecarMismatch, path: "inventory.json.sha512"},
	{name: "a sidecar with a tab and upper case", damage: func(m fstest.MapFS) {
		put(m, "v1/inventory.json.sha512",
			strings.ToUpper(sum(SHA512, string(m[sampleDir+"/v1/inventory.json"].Data)))+"\t inventory.json")
	}},
	{name: "no inventory", damage: drop("inventory.json"), codes: "E001 E063", kind: KindMissing,
		path: "inventory.json"},
	{name: "the previous inventory at the root, after an update that was interrupted", damage: previousInventory,
		codes: "E046", kind: KindExtra, path: "v2"},
	{name: "another inventory in the head version", damage: func(m fstest.MapFS) {
		text := strings.ReplaceAll(string(m[sampleDir+"/v2/inventory.json"].Data), "\n", "")
		put(m, "v2/inventory.json", text)
		put(m, "v2/inventory.json.sha512", sum(SHA512, text)+" inventory.json\n")
	}, codes: "E064"},
	{name: "another state in v1", edit: replacePrior(`"index.html"`, `"start.html"`), codes: "E066"},
	{name: "a path less in v1", edit: replacePrior("\"index.html\"\n", ""), codes: "E066"},
	{name: "a file less in the manifest of v1", edit: replacePrior(`"v1/content/index.html"`, ``), codes: "E023 E092"},
	{name: "another digest in the manifest of v1", edit: replacePrior(sum(SHA512, pageOne), sum(SHA512, "x")),
		codes: "E066 E092", kind: KindDigestMismatch, path: "v1/content/index.html"},
	{name: "another message in v1", edit: replacePrior("first harvest", "1st harvest"), codes: "W011"},
	{name: "sha256 in v1, sha512 since", edit: priorBySHA256, codes: "W004"},
	{name: "sha256 in v1, for other content", edit: func(s *sample) {
		priorBySHA256(s)
		replacePrior(sum(SHA256, pageOne), sum(SHA256, "x"))(s)
	}, codes: "E092 W004", kind: KindDigestMismatch, path: "v1/content/index.html"},
	{name: "sha256 in v1, names exchanged", edit: func(s *sample) {
		priorBySHA256(s)
		replacePrior(`"index.html"`, `"css/site.css"`)(s)
	}, codes: "E066 E095 W004"},
	{name: "OCFL 1.0 in v1", edit: replacePrior("ocfl.io/1.1/", "ocfl.io/1.0/")},
	{name: "OCFL 1.0 after 1.1", edit: replaceHead("ocfl.io/1.1/", "ocfl.io/1.0/"), codes: "E038 E103"},
	{name: "a file among the extensions", damage: add("extensions/x", "x"), codes: "E067"},
	{name: "an extension that is not registered", damage: add("extensions/ours/x", "x"), codes: "W013"},
	{name: "a registered extension", damage: add("extensions/0008-schema-registry/x", "x")},

	// Clause 4.6 and the content itself.
	{name: "a named pipe in the content", damage: mode("v1/content/pipe", fs.ModeNamedPipe), codes: "E089"},
	{name: "a link in the content", damage: mode("v1/content/index.html", fs.ModeSymlink), codes: "E090 E092",
		kind: KindMissing, path: "v1/content/index.html"},
	{name: "a link that leads to itself", damage: link("v1/content/loop", "loop"), codes: "E090"},
	{name: "a link to a folder above", damage: link("v1/content/css/up", ".."), codes: "E090"},
	{name: "a link in the logs", damage: link("logs/old/latest", "x"), codes: "E090"},
	{name: "an inventory that is a link",
		damage: both(drop("inventory.json"), link("inventory.json", "v2/inventory.json")), codes: "E001 E063 E090"},
	{name: "a flipped byte", damage: add("v1/content/index.html", "<h1>fIrst</h1>\n"), codes: "E092",
		kind: KindDigestMismatch, path: "v1/content/index.html"},
	{name: "a truncated file", damage: truncate("v1/content/css/site.css"), codes: "E092 E093",
		kind: KindDigestMismatch, path: "v1/content/css/site.css"},
	{name: "a missing file", damage: drop("v1/content/css/site.css"), codes: "E092 E093", kind: KindMissing,
		path: "v1/content/css/site.css"},
}

// The changes made by the cases.

func add(name, text string) func(fstest.MapFS) { return func(m fstest.MapFS) { put(m, name, text) } }

func drop(names ...string) func(fstest.MapFS) { return func(m fstest.MapFS) { remove(m, names...) } }

func addDir(name string) func(fstest.MapFS) { return mode(name, fs.ModeDir) }

func mode(name string, mode fs.FileMode) func(fstest.MapFS) {
	return func(m fstest.MapFS) { m[path.Join(sampleDir, name)] = &fstest.MapFile{Mode: mode | 0o755} }
}

func link(name, target string) func(fstest.MapFS) {
	return func(m fstest.MapFS) {
		m[path.Join(sampleDir, name)] = &fstest.MapFile{Mode: fs.ModeSymlink | 0o777, Data: []byte(target)}
	}
}

func both(first, second func(fstest.MapFS)) func(fstest.MapFS) {
	return func(m fstest.MapFS) { first(m); second(m) }
}

func truncate(name string) func(fstest.MapFS) {
	return func(m fstest.MapFS) {
		f := m[path.Join(sampleDir, name)]
		f.Data = f.Data[:len(f.Data)-7]
	}
}

func swap(a, b string) func(fstest.MapFS) {
	return func(m fstest.MapFS) {
		a, b := path.Join(sampleDir, a), path.Join(sampleDir, b)
		m[a], m[b] = m[b], m[a]
	}
}
