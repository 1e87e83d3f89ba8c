package yamlfile

import "path/filepath"

// Below returns the path of a file in settings: a relative path is relative to the folder of the
// settings. "" stays "".
func Below(folder, file string) string {
	if file == "" || filepath.IsAbs(file) {
		return file
	}
	return filepath.Join(folder, file)
}
