import Platform

/// Names of outputs below their folder, by a template such as `{dir}/{stem}.{ext}`.
///
/// | field | meaning |
/// |---|---|
/// | `{dir}` | folder of the input below the folder that all inputs have in common |
/// | `{stem}` | name of the input without its extension |
/// | `{ext}` | extension of the output |
/// | `{index}` | number of the row, with as many digits as the number of rows has |
public struct NameTemplate: Hashable, Sendable {
  /// A part of a name.
  private enum Part: Hashable {
    case literal(String)
    /// Folder of the input below the folder that all inputs have in common.
    case folder
    /// Name of the input without its extension.
    case stem
    /// Extension of the output.
    case fileExtension
    /// Number of the row, with as many digits as the number of rows has.
    case index
  }

  /// The template of the command, `{dir}/{stem}.{ext}`.
  public static let standard = "{dir}/{stem}.{ext}"
  private static let fields = ["dir", "stem", "ext", "index"]

  private let parts: [Part]
  /// Whether an output has the extension of its kind whatever the template says.
  package var hasExtension: Bool { parts.contains(.fileExtension) }

  /// Reads a template.
  ///
  /// - Parameter text: Text with fields in braces.
  /// - Throws: `usage` for an unknown field.
  public init(_ text: String) throws(BatchError) { try self.init(text, of: "a name template") }

  /// Reads the value of `--name`.
  ///
  /// - Throws: `usage` for an unknown field.
  package init(option text: String) throws(BatchError) { try self.init(text, of: "option '--name'") }

  private init(_ text: String, of subject: String) throws(BatchError) {
    var parts: [Part] = []
    var rest = text[...]
    while let open = rest.firstIndex(of: "{") {
      if open > rest.startIndex { parts.append(.literal(String(rest[..<open]))) }
      guard let close = rest[open...].firstIndex(of: "}") else {
        throw .usage("\(subject) cannot take '\(text)': a } is missing")
      }
      let field = String(rest[rest.index(after: open)..<close])
      switch field {
      case "dir": parts.append(.folder)
      case "stem": parts.append(.stem)
      case "ext": parts.append(.fileExtension)
      case "index": parts.append(.index)
      default:
        let ending = Suggestion.ending(
          for: field, among: Self.fields, otherwise: "; the fields are \(Self.fields.joined(separator: ", "))")
        throw .usage("\(subject) has no field '\(field)'\(ending)")
      }
      rest = rest[rest.index(after: close)...]
    }
    if !rest.isEmpty { parts.append(.literal(String(rest))) }
    self.parts = parts
  }

  /// Returns the name of a row's output.
  ///
  /// - Parameters:
  ///   - row: Row of the manifest; its own `output` comes before the template.
  ///   - manifest: Manifest of the row.
  ///   - fileExtension: Extension of the output, such as `flac`; nil for that of the input.
  /// - Throws: `usage` if the name is empty or leads out of the folder.
  public func name(
    of row: ManifestRow, in manifest: Manifest, fileExtension: String? = nil
  ) throws(BatchError) -> OutputName {
    if let output = row.output {
      guard !output.hasPrefix("/") else {
        let place = "\(manifest.name), row \(row.index): the output '\(output)' is outside the folder of"
        throw BatchError(
          .usage, "\(place) outputs; leave its '/' out", inCommand: "\(place) --out-dir; leave its '/' out")
      }
      return try checked(Array(output.utf8), row, manifest)
    }
    // By bytes: characters would take most of the time of a million rows.
    var path = row.path.utf8[...]
    if path.starts(with: manifest.commonFolder.utf8) { path = path.dropFirst(manifest.commonFolder.utf8.count) }
    let slash = path.lastIndex(of: UInt8(ascii: "/"))
    let file = slash.map { path[path.index(after: $0)...] } ?? path
    let dot = file.lastIndex(of: UInt8(ascii: ".")).flatMap { $0 > file.startIndex ? $0 : nil }
    var bytes: [UInt8] = []
    for part in parts {
      switch part {
      case .literal(let text): bytes += text.utf8
      case .folder: if let slash { bytes += path[..<slash] }
      case .stem: bytes += file[..<(dot ?? file.endIndex)]
      case .fileExtension:
        if let fileExtension {
          bytes += fileExtension.utf8
        } else {
          bytes += dot.map { file[file.index(after: $0)...] } ?? "wav".utf8[...]
        }
      case .index:
        let digits = String(row.index)
        bytes += repeatElement(UInt8(ascii: "0"), count: max(0, String(manifest.count).utf8.count - digits.utf8.count))
        bytes += digits.utf8
      }
    }
    return try checked(bytes, row, manifest)
  }

  private func checked(_ name: [UInt8], _ row: ManifestRow, _ manifest: Manifest) throws(BatchError) -> OutputName {
    let components = name.split(separator: UInt8(ascii: "/")).filter { !$0.elementsEqual(".".utf8) }
    func text(_ bytes: some Sequence<UInt8>) -> String { String(decoding: Array(bytes), as: UTF8.self) }
    guard !components.contains(where: { $0.elementsEqual("..".utf8) }) else {
      let place = "\(manifest.name), row \(row.index): the output '\(text(name))' would leave the folder of"
      let remedy = "'{stem}.{ext}', or give the row an 'output' without '..'"
      throw BatchError(
        .usage, "\(place) outputs; use the template \(remedy)", inCommand: "\(place) --out-dir; use --name \(remedy)")
    }
    guard !components.isEmpty, name.last != UInt8(ascii: "/"), !name.contains(0) else {
      let place = "\(manifest.name), row \(row.index): the output's name '\(text(name))' names no file; change"
      throw BatchError(.usage, "\(place) the template", inCommand: "\(place) --name")
    }
    let name = OutputName(path: text(components.joined(separator: "/".utf8)))
    guard !name.isReserved else {
      throw .usage(
        "\(manifest.name), row \(row.index): the output '\(name.path)' has a name of the command's own files; name it "
          + "otherwise")
    }
    return name
  }
}
