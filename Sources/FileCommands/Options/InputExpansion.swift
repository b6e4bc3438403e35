import CommandLineKit
import Glibc
import SoundOptions

/// Turns operands into inputs: `-`, `@list.txt`, globs and plain paths.
enum InputExpansion {
  /// Most bytes of a list of inputs that are read.
  static let listByteLimit = 16 << 20

  /// Returns the inputs in the order of the operands; the files of a glob are sorted by name.
  ///
  /// - Throws: exit code 66 if a list or the files of a glob do not exist, 65 if a list has no names.
  static func expand(_ operands: [String]) throws(CommandFailure) -> [InputSource] {
    var inputs: [InputSource] = []
    for operand in operands {
      if operand == "-" {
        inputs.append(.standardInput)
      } else if let list = list(of: operand) {
        inputs += try readList(list)
      } else if isGlob(operand), access(operand, F_OK) != 0 {
        inputs += try expandGlob(operand)
      } else {
        inputs.append(InputSource(operand))
      }
    }
    guard inputs.count(where: { $0 == .standardInput }) <= 1 else {
      throw .usage("'-' was given more than once, but stdin can be read one time only; give it one time")
    }
    return inputs
  }

  /// Returns the lists among operands.
  static func lists(of operands: [String]) -> [String] { operands.compactMap(list) }

  private static func list(of operand: String) -> String? {
    operand.hasPrefix("@") && operand.utf8.count > 1 ? String(operand.dropFirst()) : nil
  }

  private static func isGlob(_ operand: String) -> Bool { operand.contains { "*?[".contains($0) } }

  private static func expandGlob(_ pattern: String) throws(CommandFailure) -> [InputSource] {
    var matches = glob_t()
    defer { globfree(&matches) }
    var result = glob(pattern, 0, nil, &matches)
    // A folder that may not be read is skipped, and is reported only if nothing else is found.
    if result == GLOB_NOMATCH { result = glob(pattern, 0, { $1 == EACCES ? 1 : 0 }, &matches) }
    switch result {
    case 0: break
    case GLOB_NOMATCH:
      throw CommandFailure(.noInput, "no file matches '\(pattern)'; check the folder and the pattern")
    default:
      throw CommandFailure(.noInput, "cannot read the folders of '\(pattern)'; check their permissions")
    }
    var inputs: [InputSource] = []
    for index in 0..<Int(matches.gl_pathc) {
      // SAFETY: after success gl_pathv holds gl_pathc strings until globfree.
      guard let name = matches.gl_pathv[index] else { continue }
      inputs.append(InputSource(Argument.word(name)))
    }
    return inputs
  }

  /// Reads one path a line, relative to the current folder; empty lines are skipped.
  private static func readList(_ path: String) throws(CommandFailure) -> [InputSource] {
    var bytes: [UInt8]
    switch readBytes(path, limit: listByteLimit) {
    case .success(let read): bytes = read
    case .failure(.number(EINTR)):
      throw CommandFailure(
        InterruptHandler.pending ?? .interrupted, "reading the list of inputs '\(path)' was given up")
    case .failure(.number(let number)):
      throw CommandFailure(
        .noInput,
        "cannot read the list of inputs '\(path)': \(systemErrorText(number)); check the name and its permissions"
      )
    case .failure(.tooLong):
      throw CommandFailure(
        .badData, "the list of inputs '\(path)' is longer than 16 MiB; it should hold one path a line")
    }
    guard !bytes.contains(0) else {
      throw CommandFailure(.badData, "the list of inputs '\(path)' is not text; it should hold one path a line")
    }
    // Some editors begin UTF-8 with a mark that is not part of the first name.
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { bytes.removeFirst(3) }
    let inputs = lines(of: bytes).filter { !$0.allSatisfy(\.isWhitespace) }.map(InputSource.init)
    guard !inputs.isEmpty else {
      throw CommandFailure(.badData, "the list of inputs '\(path)' names no file; write one path a line")
    }
    return inputs
  }

  /// Returns the lines of a list, with any line ending; a line that is not UTF-8 fails by itself.
  private static func lines(of bytes: [UInt8]) -> [String] {
    bytes.split { $0 == 0x0A || $0 == 0x0D }.flatMap { line -> [String] in
      let word = (line.map(CChar.init(bitPattern:)) + [0]).withUnsafeBufferPointer { Argument.word($0.baseAddress!) }
      return Argument.repaired(word) != nil ? [word] : word.split(whereSeparator: \.isNewline).map(String.init)
    }
  }
}
