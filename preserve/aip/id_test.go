package aip

import "testing"

// Only the maker of an ID can parse it.
func TestIDs(t *testing.T) {
	for id, want := range map[string]int{
		ContainerObjID(3): 3, ContainerObjID(120): 120, SourceObjID(3): 0, "OBJ-c03": 0, "OBJ-c0": 0, "OBJ-c-1": 0,
		"OBJ-c": 0, "OBJ-c3 ": 0, "obj-c3": 0, "": 0,
		BodyObjID(3, 7): 0, VirusEventID(3): 0,
	} {
		if n, ok := NumberOf(id, ContainerObjID); ok != (want > 0) || n != want {
			t.Errorf("%q: %d, %t; want %d", id, n, ok, want)
		}
	}
	if !IsSheetDmd(SheetDmdID(2)) || IsSheetDmd(HarvestDmdID(2)) {
		t.Error("a row of a sheet is found by its ID")
	}
	if n, order, ok := PartOf(BodyObjID(3, 70), BodyObjID); n != 3 || order != 70 || !ok {
		t.Error(n, order, ok)
	}
	for _, id := range []string{BodyFileID(3, 7), ContainerObjID(3), "OBJ-c3-b07", "OBJ-c3-b0", "OBJ-c0-b1",
		"OBJ-c3-b7-b8", "OBJ-c3-b", "", "7", "3-7", "OBJ-c3-b99999999999999999999", "xOBJ-c3-b7", "OBJ-c+3-b7"} {
		if n, order, ok := PartOf(id, BodyObjID); ok || n != 0 || order != 0 {
			t.Errorf("%q: %d, %d", id, n, order)
		}
	}
}
