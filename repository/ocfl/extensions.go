package ocfl

import (
	"io/fs"
	"path"
)

// registered has the names in the register of extensions (https://ocfl.github.io/extensions/), as
// of 2025.
var registered = map[string]bool{
	"initial":                                              true,
	"0000-example-extension":                               true,
	"0001-digest-algorithms":                               true,
	"0002-flat-direct-storage-layout":                      true,
	LayoutName:                                             true,
	"0004-hashed-n-tuple-storage-layout":                   true,
	"0005-mutable-head":                                    true,
	"0006-flat-omit-prefix-storage-layout":                 true,
	"0007-n-tuple-omit-prefix-storage-layout":              true,
	"0008-schema-registry":                                 true,
	"0009-digest-algorithms":                               true,
	"0010-differential-n-tuple-omit-prefix-storage-layout": true,
	"0011-direct-clean-path-layout":                        true,
	"0012-hash-and-no-prefix-id-n-tuple-storage-layout":    true,
}

// checkExtensions checks the extensions folder of an object (E067, W013) or of a storage root
// (E112, W016). OCFL sets no rules for the content of an extension's folder, but links are
// forbidden there too.
func (t tree) checkExtensions(fileCode, nameCode string) {
	dir := path.Join(t.dir, ExtensionsDir)
	t.entries(dir, fileCode, func(e fs.DirEntry) {
		name := path.Join(ExtensionsDir, e.Name())
		if !e.IsDir() {
			t.log.addf(fileCode, name, "only folders are allowed here")
			return
		}
		if !registered[e.Name()] {
			t.log.addf(nameCode, name, "not the name of a registered extension")
		}
		t.checkLinks(name, 0)
	})
}
