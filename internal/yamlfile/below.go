package yamlfile

import "path/filepath"

// Below is the path of a file that settings name: where it is relative, it is so to the folder of
// the settings. "" stays "".
func Below(folder, file string) string {
	if file == "" || filepath.IsAbs(file) {
		return file
	}
	return filepath.Join(folder, file)
}
