import CPlatform
import CommandLineKit
import Engine
import Glibc
import OfflineProcessing

/// Converts an SVG document into a PNG with another program, `rsvg-convert`.
package enum PictureConverter {
  private static let program = "rsvg-convert"

  /// Advice if the program does not exist.
  package static let advice =
    "\(program), which draws PNG pictures, is not there; install librsvg2-bin, or let --plot end in .svg"

  package static var isThere: Bool {
    // execvp uses this list without a PATH; an empty name in it is the current folder.
    let folders = (environmentVariable("PATH") ?? "/bin:/usr/bin").split(
      separator: ":", omittingEmptySubsequences: false)
    return folders.contains { access(($0.isEmpty ? "." : $0) + "/" + program, X_OK) == 0 }
  }

  /// Checks before any work that the program exists.
  ///
  /// - Throws: exit code 69.
  static func check() throws(CommandFailure) {
    guard isThere else { throw CommandFailure(.unavailable, advice) }
  }

  /// Returns the PNG in memory, as large as the document says; the program never touches the file that it is for.
  ///
  /// - Throws: exit code 69 if the program fails, 74 if the document cannot be passed to it.
  static func png(of svg: String) throws(CommandFailure) -> [UInt8] {
    let memory = cplatform_memory_file("picture")
    guard memory >= 0 else {
      throw CommandFailure(.inputOutput, "there is not enough memory for the picture: \(systemErrorText(errno))")
    }
    defer { close(memory) }
    // Its own lines on stderr would be among ours, which may be JSON.
    let (process, failure) = ChildProcess.start(
      "exec \(program) --format=png 2>/dev/null", environment: [:], standardOutput: memory)
    guard let process else {
      throw CommandFailure(.unavailable, "\(program) cannot be started: \(systemErrorText(failure))")
    }
    let error = writeAll(svg, to: process.input)
    process.closeInput()
    guard case .exited(0) = process.wait(until: { false }) else {
      throw CommandFailure(.unavailable, "\(program) could not draw the picture; let --plot end in .svg")
    }
    // It may leave early only with a message of its own.
    guard error == 0 else {
      throw CommandFailure(.inputOutput, "\(program) did not read the picture: \(systemErrorText(error))")
    }
    let count = Int(lseek(memory, 0, SEEK_END))
    let bytes = [UInt8](unsafeUninitializedCapacity: max(0, count)) {
      $1 = max(0, pread(memory, $0.baseAddress, $0.count, 0))
    }
    guard count > 0, bytes.count == count else {
      throw CommandFailure(.unavailable, "\(program) drew nothing; let --plot end in .svg")
    }
    return bytes
  }
}
