import CommandLineKit
import Glibc
import JSON
import Platform

/// The keys of one object of a configuration file, with the messages for mistakes in them: exit code 78.
struct ConfigurationFields {
  /// Path of the file, as it was given.
  let file: String
  /// Path of the object within the file, such as `apps[1]`; empty for the whole file.
  private let path: String
  private let fields: [String: JSONValue]

  /// Largest file, in bytes.
  private static let limit = 1 << 20

  /// Reads the file of a configuration.
  ///
  /// - Throws: exit code 66 if it cannot be read; 78 if it is not a JSON object with these keys.
  static func read(_ file: String, keys: [String]) throws(CommandFailure) -> ConfigurationFields {
    let bytes: [UInt8]
    // A pipe would hold the relay up when SIGHUP has it read again.
    var status = stat()
    if stat(file, &status) == 0, status.st_mode & S_IFMT != S_IFREG {
      throw CommandFailure(
        .badConfiguration, "\(file): the configuration is not a file that can be read again; name one")
    }
    switch readBytes(file, limit: limit) {
    case .success(let found): bytes = found
    case .failure(.tooLong):
      throw CommandFailure(.badConfiguration, "\(file): the configuration is longer than 1 MiB; cut it")
    case .failure(.number(let code)):
      throw CommandFailure(
        .noInput, "\(file): the configuration cannot be read (\(systemErrorText(code))); check the path")
    }
    let value: JSONValue
    do throws(JSONError) { value = try JSONReader.read(bytes) } catch {
      throw CommandFailure(.badConfiguration, "\(file): \(error); correct the file")
    }
    return try ConfigurationFields(value, file: file, path: "", keys: keys)
  }

  private init(_ value: JSONValue, file: String, path: String, keys: [String]) throws(CommandFailure) {
    self.file = file
    self.path = path
    let name = path.isEmpty ? "the configuration" : path
    guard case .object(let fields) = value else {
      throw CommandFailure(
        .badConfiguration,
        "\(file): \(name) must be an object with the keys \(keys.joined(separator: ", ")), not \(value.kind)")
    }
    for (key, _) in fields where !keys.contains(key) {
      let ending = Suggestion.ending(for: key, among: keys, otherwise: "; use \(keys.joined(separator: ", "))")
      throw CommandFailure(.badConfiguration, "\(file): \(name) has no key '\(key)'\(ending)")
    }
    self.fields = Dictionary(fields.map { ($0.key, $0.value) }, uniquingKeysWith: { first, _ in first })
  }

  func has(_ key: String) -> Bool { fields[key] != nil }

  /// Returns the place of a key, or of an element of its list.
  func place(_ key: String, _ index: Int? = nil) -> SettingPlace {
    .key((path.isEmpty ? key : "\(path).\(key)") + (index.map { "[\($0)]" } ?? ""), file: file)
  }

  /// Returns the path of a file that the configuration names: relative ones start at the configuration's folder.
  func resolve(_ name: String) -> String {
    guard !name.hasPrefix("/") else { return name }
    guard let slash = file.lastIndex(of: "/") else { return "./" + name }
    return file[...slash] + name
  }

  // MARK: Values

  /// Returns a text; nil without the key.
  func text(_ key: String) throws(CommandFailure) -> Setting<String>? {
    guard let value = fields[key] else { return nil }
    return try text(value, place(key))
  }

  /// Returns the texts of a list; nil without the key.
  func texts(_ key: String) throws(CommandFailure) -> [Setting<String>]? {
    guard let values = try list(key, of: "texts") else { return nil }
    var texts: [Setting<String>] = []
    for (index, value) in values.enumerated() { texts.append(try text(value, place(key, index))) }
    return texts
  }

  /// Returns true or false; nil without the key.
  func flag(_ key: String) throws(CommandFailure) -> Bool? {
    guard let value = fields[key] else { return nil }
    guard case .flag(let flag) = value else { throw place(key).failure("must be true or false, not \(value.kind)") }
    return flag
  }

  /// Returns a number; nil without the key.
  func number(_ key: String, in range: ClosedRange<Double>) throws(CommandFailure) -> Double? {
    guard let value = fields[key] else { return nil }
    guard case .number(let number) = value, range.contains(number) else {
      let bounds = "\(range.lowerBound.shortText) to \(range.upperBound.shortText)"
      throw place(key).failure("must be a number from \(bounds), not \(value.kind)")
    }
    return number
  }

  /// Returns a whole number; nil without the key.
  func integer(_ key: String, in range: ClosedRange<Int>) throws(CommandFailure) -> Int? {
    guard let value = fields[key] else { return nil }
    // Compared as numbers, because a number too large for an integer must not become one.
    guard case .number(let number) = value, number == number.rounded(), number >= Double(range.lowerBound),
      number <= Double(range.upperBound)
    else {
      throw place(key).failure(
        "must be a whole number from \(range.lowerBound) to \(range.upperBound), not \(value.kind)")
    }
    return Int(number)
  }

  /// Returns a whole number, or nil for a word in its place.
  func integer(_ key: String, in range: ClosedRange<Int>, or word: String) throws(CommandFailure) -> Int? {
    switch fields[key] {
    case .text(word): return nil
    case .number: return try integer(key, in: range)
    default:
      throw place(key).failure("must be a whole number from \(range.lowerBound) to \(range.upperBound), or \"\(word)\"")
    }
  }

  /// Returns an object; nil without the key.
  func object(_ key: String, keys: [String]) throws(CommandFailure) -> ConfigurationFields? {
    guard let value = fields[key], case .key(let path, _) = place(key) else { return nil }
    return try ConfigurationFields(value, file: file, path: path, keys: keys)
  }

  /// Returns the objects of a list; nil without the key.
  func objects(_ key: String, keys: [String]) throws(CommandFailure) -> [ConfigurationFields]? {
    guard let values = try list(key, of: "objects") else { return nil }
    var objects: [ConfigurationFields] = []
    for (index, value) in values.enumerated() {
      guard case .key(let path, _) = place(key, index) else { continue }
      objects.append(try ConfigurationFields(value, file: file, path: path, keys: keys))
    }
    return objects
  }

  private func list(_ key: String, of elements: String) throws(CommandFailure) -> [JSONValue]? {
    guard let value = fields[key] else { return nil }
    guard case .array(let values) = value else {
      throw place(key).failure("must be a list of \(elements), not \(value.kind)")
    }
    return values
  }

  private func text(_ value: JSONValue, _ place: SettingPlace) throws(CommandFailure) -> Setting<String> {
    guard case .text(let text) = value, !text.isEmpty else {
      throw place.failure("must be a text that is not empty, not \(value.kind)")
    }
    return Setting(value: text, place: place)
  }
}
