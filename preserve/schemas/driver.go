package schemas

import (
	"fmt"
	"slices"
	"strings"

	"quire/metadata/harvestmd"
)

// A driver is a schema that imports METS and all the standards inside a package. METS declares
// wrapped content as lax, so the validator checks only namespaces in the same set. A set can have
// one version of each namespace; therefore each generation has a driver.
const (
	Driver       = "drivers/mets-all.xsd"        // MODS 3.8, PREMIS 3.0 and 2.3, containerMD 1.2
	LegacyDriver = "drivers/mets-all-legacy.xsd" // MODS 3.4, PREMIS 3.0 and 2.2, containerMD 1.1
)

// ownFile is the schema of Quire's own namespace in packages. It is part of the program.
const ownFile = "quire/harvestmd.xsd"

// catalogFile maps the official URLs of schemas to the files, for imports.
const catalogFile = "catalog.xml"

// otherGeneration lists, for each driver, the schemas that only the other driver uses.
var otherGeneration = map[string][]string{
	Driver:       {"mods/mods-3-4.xsd", "premis/premis-v2-2.xsd", "containerMD/containerMD-v1_1.xsd"},
	LegacyDriver: {"mods/mods-3-8.xsd", "premis/premis-v2-3.xsd", "containerMD/containerMD-v1_2.xsd"},
}

// driverText returns a driver for the available files.
func driverText(there []official, driver string) string {
	var b strings.Builder
	b.WriteString("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<!-- Written by quire schemas fetch: METS, and what a " +
		"METS of Quire wraps. -->\n" +
		"<xs:schema xmlns:xs=\"http://www.w3.org/2001/XMLSchema\">\n")
	for i := range there {
		if o := &there[i]; o.namespace != "" && !slices.Contains(otherGeneration[driver], o.file) {
			fmt.Fprintf(&b, "  <xs:import namespace=%q schemaLocation=%q/>\n", o.namespace, "../"+o.file)
		}
	}
	fmt.Fprintf(&b, "  <xs:import namespace=%q schemaLocation=%q/>\n", harvestmd.Namespace, "../"+ownFile)
	b.WriteString("</xs:schema>\n")
	return b.String()
}

// catalogText returns the catalog (OASIS XML Catalogs 1.1) of the available files.
func catalogText(there []official) string {
	var b strings.Builder
	b.WriteString("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<!-- Written by quire schemas fetch: where the " +
		"official schemas are here. -->\n" +
		"<catalog xmlns=\"" + catalogNamespace + "\" prefer=\"system\">\n")
	for i := range there {
		for _, url := range append([]string{there[i].url}, there[i].aliases...) {
			_, place, _ := strings.Cut(url, "://")
			for _, scheme := range []string{"http://", "https://"} {
				fmt.Fprintf(&b, "  <system systemId=%q uri=%q/>\n  <uri name=%q uri=%q/>\n", scheme+place,
					there[i].file, scheme+place, there[i].file)
			}
		}
	}
	b.WriteString("</catalog>\n")
	return b.String()
}
