import TestSupport
import Testing

@testable import BatchProcessing

@Suite("NameTemplate", .timeLimit(.minutes(10)))
struct NameTemplateTests {
  private func names(_ paths: [String], _ template: String = NameTemplate.standard, kind: String? = nil) throws
    -> [String]
  {
    let folder = try BatchFolder()
    let manifest = try Manifest(path: folder.write("m", paths.joined(separator: "\n")))
    var names: [String] = []
    let name = try NameTemplate(template)
    try manifest.forEach { _, row throws(BatchError) in
      names.append(try name.name(of: row, in: manifest, fileExtension: kind).path)
    }
    return names
  }

  @Test("names are relative to the folder that all inputs share", .shows("batch: names"))
  func commonFolder() throws {
    #expect(try names(["/d/x/a.wav", "/d/y/b.flac"]) == ["x/a.wav", "y/b.flac"])
    #expect(try names(["/d/x/a.wav"]) == ["a.wav"])
    #expect(try names(["/d/x1/a.wav", "/d/x2/a.wav"]) == ["x1/a.wav", "x2/a.wav"])
    #expect(try names(["./x/a.wav", "b.wav"]) == ["x/a.wav", "b.wav"])
    #expect(try names(["../x/a.wav", "../x/y/b.wav"]) == ["a.wav", "y/b.wav"])
    #expect(try names(["/a.wav", "b.wav"]) == ["a.wav", "b.wav"])
  }

  @Test("a template has folder, stem, extension and number", .shows("batch: names"))
  func fields() throws {
    let paths = (1...10).map { "d/s\($0)/take.1.wav" }
    #expect(try names(paths, "{index}-{stem}.{ext}")[0] == "01-take.1.wav")
    #expect(try names(paths, "{index}-{stem}.{ext}", kind: "flac")[9] == "10-take.1.flac")
    #expect(try names(paths, "new/{dir}/x-{stem}.{ext}")[2] == "new/s3/x-take.1.wav")
    #expect(failure { _ = try NameTemplate("{name}.wav") }?.kind == .usage)
    #expect(failure { _ = try NameTemplate("{stem.wav") }?.kind == .usage)
  }

  @Test(
    "no name leaves the folder", .shows("batch: names"),
    arguments: [
      "{\"path\":\"a.wav\",\"output\":\"/tmp/a.wav\"}", "{\"path\":\"a.wav\",\"output\":\"x/../../a.wav\"}",
      "{\"path\":\"a.wav\",\"output\":\"x/\"}", "{\"path\":\"a.wav\",\"output\":\"\"}",
      "{\"path\":\"../a/b.wav\"}\n{\"path\":\"c.wav\"}",
    ])
  func outside(text: String) throws {
    let folder = try BatchFolder()
    let manifest = try Manifest(path: folder.write("m", text))
    let name = try NameTemplate(NameTemplate.standard)
    #expect(
      failure {
        try manifest.forEach { _, row throws(BatchError) in
          _ = try name.name(of: row, in: manifest, fileExtension: nil)
        }
      }?.kind == .usage)
  }

  @Test("two outputs of one name are refused with both rows", .shows("batch: names"))
  func collisions() throws {
    let folder = try BatchFolder()
    let paths = (0..<500).map { "d\($0)/s\($0 % 499).wav" }
    let manifest = try Manifest(path: folder.write("m", paths.joined(separator: "\n")))
    func check(_ template: String) -> BatchError? {
      failure {
        let name = try NameTemplate(template)
        try NameCheck.check(manifest, comparesStems: false) { row throws(BatchError) in
          try name.name(of: row, in: manifest, fileExtension: nil)
        }
      }
    }
    #expect(check("{dir}/{stem}.{ext}") == nil)
    let refusal = check("{stem}.{ext}")
    #expect(refusal?.kind == .usage)
    #expect(refusal?.message.hasPrefix("rows 1 ('d0/s0.wav') and 500 ('d499/s0.wav') would both be") == true)
  }

  @Test("tables of two inputs that differ in their extension only are refused")
  func stems() throws {
    let folder = try BatchFolder()
    let manifest = try Manifest(path: folder.write("m", "a.wav\na.flac\n"))
    for comparesStems in [false, true] {
      let refusal = failure {
        try NameCheck.check(manifest, comparesStems: comparesStems) { row throws(BatchError) in
          try NameTemplate(NameTemplate.standard).name(of: row, in: manifest, fileExtension: nil)
        }
      }
      #expect((refusal != nil) == comparesStems)
    }
  }
}
