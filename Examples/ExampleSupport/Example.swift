import AudioFiles
import Engine
import Glibc
import Platform

/// How the examples end: without a word where all is well, else with one sentence on stderr and the exit code that
/// `audiopipe` has for the same (sysexits.h).
package enum Example {
  /// Token for a channel, from the environment variable AUDIOPIPE_TOKEN; empty without one.
  package static var token: String { getenv("AUDIOPIPE_TOKEN").map { String(cString: $0) } ?? "" }

  /// Runs an example.
  package static func run(_ body: () throws -> Void) {
    do { try body() } catch { fail(error) }
  }

  /// Runs an example that waits.
  package static func run(_ body: () async throws -> Void) async {
    do { try await body() } catch { fail(error) }
  }

  /// Says how an example is called: on stdout where that was asked for, else as an error.
  package static func explain(_ usage: String, isError: Bool) -> Never {
    if !isError {
      print(usage)
      exit(EX_OK)
    }
    end(usage, code: EX_USAGE)
  }

  private static func fail(_ error: any Error) -> Never {
    // A file is named by its own error, or by that of the call that was to open it.
    let file = error as? AudioFileError ?? (error as? EngineError)?.cause as? AudioFileError
    if let file, file.reason == .exists {
      // The sentence of the error names an option of `audiopipe`.
      end("\(file.path): this file exists already; choose another folder or name, or remove it", code: EX_CANTCREAT)
    }
    end("\(error)", code: file?.category.rawValue ?? EX_USAGE)
  }

  private static func end(_ sentence: String, code: Int32) -> Never {
    fflush(nil)
    var line = sentence + "\n"
    line.withUTF8 { _ = write(STDERR_FILENO, $0.baseAddress!, $0.count) }
    exit(code)
  }
}
