import CPlatform
import CommandLineKit
import Engine
import Glibc
import OfflineProcessing

/// Makes a PNG of an SVG document with another program, `rsvg-convert`.
enum PictureConverter {
  private static let program = "rsvg-convert"

  /// What to do where the program is not there.
  static let advice =
    "\(program), which draws PNG pictures, is not there; install librsvg2-bin, or let --plot end in .svg"

  static var isThere: Bool {
    // What execvp takes where there is no PATH; an empty name in it is the current folder.
    let folders = (environmentVariable("PATH") ?? "/bin:/usr/bin").split(
      separator: ":", omittingEmptySubsequences: false)
    return folders.contains { access(($0.isEmpty ? "." : $0) + "/" + program, X_OK) == 0 }
  }

  /// Finds out whether the program is there, before any work is done. Throws: exit code 69.
  static func check() throws(CommandFailure) {
    guard isThere else { throw CommandFailure(.unavailable, advice) }
  }

  /// The PNG, as large as the document says, in memory: whatever becomes of the file that it is for, the program has no
  /// part in it.
  ///
  /// Throws: exit code 69 where the program fails, 74 where the document cannot be handed to it.
  static func png(of svg: String) throws(CommandFailure) -> [UInt8] {
    let memory = cplatform_memory_file("picture")
    guard memory >= 0 else {
      throw CommandFailure(.inputOutput, "there is no memory for the picture: \(systemErrorText(errno))")
    }
    defer { close(memory) }
    // Its own lines on stderr would stand among ours, which may be JSON.
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
    // It may leave early only with a word of its own.
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
