package yamlfile

import "path/filepath"

// Resolve returns the path of a file in settings: a relative path is relative to the folder of the
// settings. "" stays "".
func Resolve(folder, file string) string {
	if file == "" || filepath.IsAbs(file) {
		return file
	}
	return filepath.Join(folder, file)
}
