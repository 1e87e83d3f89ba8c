package aip

import (
	"quire/model"
	"quire/model/finding"
)

// Catalogue explains each code, in the order of the checks of clause 4.
// docs/reference/505_package-findings.md is generated from it.
var Catalogue = finding.New("a package", ", of quire validate (docs/reference/310_package-format.md, clause 4)",
	[]finding.Entry{
		{Code: CodeSidecarMissing, Severity: model.Error, Check: CheckSidecar,
			Meaning: "`mets.xml.sha512` is missing",
			Advice:  "if you are sure that `mets.xml` is right: `sha512sum mets.xml > mets.xml.sha512`"},
		{Code: CodeSidecarForm, Severity: model.Error, Check: CheckSidecar,
			Meaning: "it is not one line with the digest, two spaces, the file name and a line feed",
			Advice:  "if its digest is right, write the file again: `sha512sum mets.xml > mets.xml.sha512`"},
		{Code: CodeSidecarDigest, Severity: model.Error, Check: CheckSidecar,
			Meaning: "the SHA-512 of `mets.xml` differs from the one in its sidecar: one of the two " +
				"files was changed",
			Advice: "restore both files from another copy"},
		{Code: CodeMETSMissing, Severity: model.Error, Check: CheckMETS,
			Meaning: "the folder has no regular file `mets.xml`, so it is not a package",
			Advice:  "name the folder that holds `mets.xml`, or make a package with `quire pack`"},
		{Code: CodeMETSRead, Severity: model.Error, Check: CheckMETS,
			Meaning: "`mets.xml` cannot be read beyond this position: it is not well-formed, has a " +
				"document type declaration, or exceeds a limit of the reader; the rest was not checked",
			Advice: "restore it from another copy"},
		{Code: CodeMETSStructure, Severity: model.Error, Check: CheckMETS,
			Meaning: "it violates the schema of METS 1.12.1",
			Advice:  "report it to the producer of the package"},
		{Code: CodeMETSID, Severity: model.Error, Check: CheckMETS,
			Meaning: "it has no `OBJID`",
			Advice:  "report it to the producer of the package: without an identifier it cannot be stored"},
		{Code: CodeProfile, Severity: model.Warning, Check: CheckMETS, // a later version may still be readable
			Meaning: "`PROFILE` names a different profile than the one used for the check",
			Advice:  "check whether a later version of Quire supports it"},
		{Code: CodeDocument, Severity: model.Error, Check: CheckMETS,
			Meaning: "a METS document below `mets/` is not named as clause 2.18 says, or describes another " +
				"package or container than `mets.xml` says",
			Advice: "report it to the producer of the package"},
		{Code: CodeMETSSchema, Severity: model.Error, Check: CheckSchemas,
			Meaning: "it violates one of the XML schemas: of METS, or of a standard that METS wraps",
			Advice:  "report it to the producer of the package"},
		{Code: CodeFileMissing, Severity: model.Error, Check: CheckFiles,
			Meaning: "a listed file is missing, or is not a regular file",
			Advice:  "restore it from another copy"},
		{Code: CodeFileRead, Severity: model.Error, Check: CheckFiles,
			Meaning: "it cannot be opened or read: no permission, a failing disk, or a folder that links " +
				"out of the package",
			Advice: "check the permissions first, then the disk"},
		{Code: CodeFileSize, Severity: model.Error, Check: CheckFiles,
			Meaning: "its size differs from the one in `mets.xml`; it was not read",
			Advice:  "restore it from another copy"},
		{Code: CodeFileDigest, Severity: model.Error, Check: CheckFiles,
			Meaning: "its SHA-512 differs from the one in `mets.xml`",
			Advice:  "restore it from another copy"},
		{Code: CodeFileFixity, Severity: model.Error, Check: CheckFiles,
			Meaning: "no group in `mets.xml` states both its size and its SHA-512, so nothing proves it " +
				"unchanged",
			Advice: "report it to the producer of the package"},
		{Code: CodeExtraFile, Severity: model.Error, Check: CheckExtra,
			Meaning: "a file that `mets.xml` does not list",
			Advice:  "remove it, or make the package again with it"},
		{Code: CodeExtraKind, Severity: model.Error, Check: CheckExtra,
			Meaning: "a symbolic link, pipe, socket or device",
			Advice:  "replace it with a copy of its target before packing"},
		// a store keeps only files: the folder would be lost silently
		{Code: CodeExtraFolder, Severity: model.Error, Check: CheckExtra,
			Meaning: "a folder that is empty or cannot be read",
			Advice:  "remove it, or check its permissions"},
		{Code: CodeLocation, Severity: model.Error, Check: CheckPaths,
			Meaning: "a file does not have exactly one `FLocat` with `LOCTYPE=\"URL\"`",
			Advice:  "report it to the producer of the package"},
		{Code: CodePath, Severity: model.Error, Check: CheckPaths,
			Meaning: "an `xlink:href` is not a path within the package (it is absolute, has a scheme, or " +
				"has `..`); it was not opened",
			Advice: "report it to the producer of the package, and do not trust its contents"},
		{Code: CodePathTwice, Severity: model.Error, Check: CheckPaths,
			Meaning: "two files have the same path, and the second is not in a group that lists " +
				"containers again (OriginalFiles, ViralFiles; in older packages " +
				"Transformed, CleanedFiles)",
			Advice: "report it to the producer of the package"},
		// the file exists and is verified; another system may not be able to store it
		{Code: CodePathName, Severity: model.Warning, Check: CheckPaths,
			Meaning: "a name has a backslash or control character, which clause 1.4 requires to be escaped",
			Advice:  "nothing now; other systems may not be able to store the file"},
		{Code: CodePathPlace, Severity: model.Warning, Check: CheckPaths,
			Meaning: "the file is not below the folder of its group, or the profile has no such group",
			Advice:  "nothing now; readers of the profile may not look in that folder"},
		{Code: CodeIDTwice, Severity: model.Error, Check: CheckReferences,
			Meaning: "two elements have the same ID",
			Advice:  "report it to the producer of the package"},
		{Code: CodeIDDangling, Severity: model.Error, Check: CheckReferences,
			Meaning: "an `ADMID`, `DMDID`, `FILEID` or `TRANSFORMBEHAVIOR` names no element in the " +
				"document, or an element of the wrong kind",
			Advice: "report it to the producer of the package"},
		{Code: CodeDocumentLink, Severity: model.Error, Check: CheckReferences,
			Meaning: "a reference from one METS document of the package to another leads to no element, to " +
				"one with another size or digest, or to another page than its label names",
			Advice: "report it to the producer of the package"},
		{Code: CodeObjectMissing, Severity: model.Error, Check: CheckObjects,
			Meaning: "no `ADMID` of a container, or of a bytestream in the METS of a container's records, " +
				"names a `premis:object` of category file; a bytestream there must name its own",
			Advice: "report it to the producer of the package"},
		{Code: CodeObjectSize, Severity: model.Error, Check: CheckObjects,
			Meaning: "the `premis:object` states a different size than the `file` element",
			Advice:  "compare both with the size of the file"},
		{Code: CodeObjectDigest, Severity: model.Error, Check: CheckObjects,
			Meaning: "the `premis:object` states a different SHA-512 than the `file` element, or none",
			Advice:  "compare both with the SHA-512 of the file"},
		{Code: CodePremisDangling, Severity: model.Error, Check: CheckEntities,
			Meaning: "PREMIS names an object, event, agent or rights statement by an identifier of this package, " +
				"but the package has no such entity",
			Advice: "restore mets.xml from another copy: the entity was removed or renamed"},
		// PREMIS may name entities of another place
		{Code: CodePremisOutside, Severity: model.Warning, Check: CheckEntities,
			Meaning: "PREMIS names an entity by an identifier that no entity of the package has and that does " +
				"not begin with the identifier of the package",
			Advice: "find out whether the entity is in another package or system; if not, report it to the " +
				"producer of the package"},
		{Code: CodePremisTwice, Severity: model.Error, Check: CheckEntities,
			Meaning: "two entities of PREMIS have the same identifier: in one METS document, or in two that " +
				"state different things of it",
			Advice: "report it to the producer of the package"},
		// PREMIS allows it
		{Code: CodeEventObject, Severity: model.Warning, Check: CheckEntities,
			Meaning: "an event of PREMIS names no object, and no object names it",
			Advice:  "find the object of the event; compare with an older version of the package"},
		{Code: CodeContainerFixity, Severity: model.Error, Check: CheckContainers,
			Meaning: "the containerMD of a container states another size or SHA-512 than its `file` element",
			Advice:  "compare both with the file"},
		{Code: CodeContainerCount, Severity: model.Error, Check: CheckContainers,
			Meaning: "the numbers of entries in containerMD do not add up, or are not those of the records " +
				"listed in the METS or of the CDXJ lines",
			Advice: "count the records with `quire inspect`, and compare with another copy"},
		{Code: CodeContainerOutcome, Severity: model.Error, Check: CheckContainers,
			Meaning: "containerMD and the validation event of the container state opposite outcomes",
			Advice:  "validate the container again with `quire inspect`, and compare with another copy"},
		// the clock of this computer may be wrong, or that of the crawler was
		{Code: CodeDateFuture, Severity: model.Warning, Check: CheckDates,
			Meaning: "an event, the creation of the METS or a capture has a date more than a day after now",
			Advice: "check the clock of this computer first; for captures, the clock of the crawler may have " +
				"been wrong"},
		// documentation may state other dates, with a reason
		{Code: CodeDateCaptured, Severity: model.Warning, Check: CheckDates,
			Meaning: "the dates of capture in MODS, in a capture event or in containerMD are not those of the " +
				"records",
			Advice: "compare with `quire inspect` of the containers; a curator may have changed them on purpose"},
		{Code: CodePartRange, Severity: model.Error, Check: CheckParts,
			Meaning: "`BEGIN` and `END` of a part are not a range, or the range is not within the " +
				"decoded parent file; where a file is damaged, the message names the damage",
			Advice: "look for findings of a changed container; if there are none, report it to the " +
				"producer of the package"},
		{Code: CodePartSize, Severity: model.Error, Check: CheckParts,
			Meaning: "the size of a part differs from its `SIZE`",
			Advice: "look for findings of a changed container; if there are none, report it to the " +
				"producer of the package"},
		{Code: CodePartDigest, Severity: model.Error, Check: CheckParts,
			Meaning: "the digest of a part differs from its `CHECKSUM`",
			Advice: "look for findings of a changed container; if there are none, report it to the " +
				"producer of the package"},
		{Code: CodePartOverlap, Severity: model.Error, Check: CheckParts,
			Meaning: "a part begins before another part of the same file ends; it was not read",
			Advice:  "report it to the producer of the package"},
		{Code: CodePartTransform, Severity: model.Error, Check: CheckParts,
			Meaning: "Quire cannot undo a transformation, or one container is listed with several " +
				"different ones; the parts within were not read",
			Advice: "check whether a later version of Quire supports it; otherwise report it to the " +
				"producer of the package"},
		{Code: CodePartRecord, Severity: model.Error, Check: CheckParts,
			Meaning: "a record of a container, or its bytestream, has no `file` element, or the element has " +
				"another place, length or identifier than the record",
			Advice: "compare with another copy: elements were removed or changed; `quire inspect` lists the records"},
		{Code: CodePartLimit, Severity: model.Error, Check: CheckParts,
			Meaning: "parts are nested more than 16 deep, or a file unpacks to more than 1 GiB and more " +
				"than 200 times its size; the rest was not read",
			Advice: "find out where the package comes from before you open any of its content with other " +
				"tools"},
		{Code: CodeIndexLines, Severity: model.Error, Check: CheckIndexes,
			Meaning: "a file in `indexes/` is not a valid CDXJ index: not sorted, a wrong number of " +
				"lines, a record outside the container, or a key that is not that of its URL",
			Advice: "report it to the producer of the package; the rest may be sound, and Quire reads " +
				"the containers instead"},
		{Code: CodeIndexContainer, Severity: model.Error, Check: CheckIndexes,
			Meaning: "a CDXJ index belongs to another container, or to other bytes, than the container " +
				"in its name",
			Advice: "report it to the producer of the package; the rest may be sound, and Quire reads " +
				"the containers instead"},
		// a later Quire can read it; this one reads the container instead
		{Code: CodeIndexVersion, Severity: model.Warning, Check: CheckIndexes,
			Meaning: "a CDXJ index of a later version; it was not checked",
			Advice: "check whether a later version of Quire supports it; until then Quire reads the " +
				"containers instead"},
		{Code: CodeAreaRange, Severity: model.Error, Check: CheckLinks,
			Meaning: "an `area` is not a range of bytes, or is not within its decoded file",
			Advice:  "report it to the producer of the package"},
		{Code: CodeLinkLabel, Severity: model.Error, Check: CheckLinks,
			Meaning: "two elements have the same `xlink:label`",
			Advice:  "report it to the producer of the package"},
		{Code: CodeLinkEnd, Severity: model.Error, Check: CheckLinks,
			Meaning: "an end of a `smLink` is not the label of a `div`",
			Advice:  "report it to the producer of the package"},
		{Code: CodeLinkCount, Severity: model.Error, Check: CheckLinks,
			Meaning: "the METS has another number of `smLink`s than the event `EVT-package` states",
			Advice:  "compare with another copy: links were removed, or the event was changed"},
	})
