package import CommandLineKit
import Commands
import Glibc
import Testing

/// Parses the words of a command line that a shell would pass on, split at spaces.
package func parse(_ words: [String], _ command: CommandDeclaration) throws -> ParsedArguments {
  try ArgumentParser(command: command).parse(words)
}

/// The failure that a body throws.
package func failure(of body: () throws -> Void) -> CommandFailure? {
  do {
    try body()
    return nil
  } catch let failure as CommandFailure {
    return failure
  } catch {
    Issue.record("threw \(error)")
    return nil
  }
}

/// A folder that is removed with its files.
package final class TemporaryFolder: Sendable {
  package let path: String

  package init() throws {
    var template = Array("/tmp/audiopipe-test-XXXXXX".utf8CString)
    let made = try #require(mkdtemp(&template))
    path = String(cString: made)
  }

  deinit {
    for name in ["a.wav", "b.wav", "c:d.wav", "[x].wav", "list.txt", "empty.txt", "binary.txt", "out"] {
      unlink("\(path)/\(name)")
    }
    rmdir(path)
  }

  /// Makes a file.
  @discardableResult
  package func write(_ name: String, _ bytes: [UInt8] = []) throws -> String {
    let file = "\(path)/\(name)"
    let descriptor = open(file, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
    try #require(descriptor >= 0)
    defer { close(descriptor) }
    #expect(bytes.withUnsafeBytes { writeAll($0, to: descriptor) } == 0)
    return file
  }
}

/// A console whose stdout is a file and whose stderr is kept.
package final class CapturedConsole {
  package let console: Console
  package let lines = Lines()
  private let file: UnsafeMutablePointer<FILE>

  package init() throws {
    file = try #require(tmpfile())
    let errors = ErrorStream(sink: { [lines] in lines.append($0) })
    console = Console(
      output: StandardOutput(descriptor: fileno(file)), outputStyle: .plain, errors: errors,
      errorStyle: .plain,
      isInteractive: false, level: .info, format: .text)
  }

  deinit { fclose(file) }

  /// What was written to stdout.
  package var output: String { String(decoding: bytes, as: UTF8.self) }

  package var bytes: [UInt8] {
    var bytes = [UInt8](repeating: 0, count: max(0, Int(lseek(fileno(file), 0, SEEK_END))))
    var count = 0
    while count < bytes.count {
      let got = pread(fileno(file), &bytes[count], bytes.count - count, off_t(count))
      guard got > 0 else { break }
      count += got
    }
    return Array(bytes[..<count])
  }
}
