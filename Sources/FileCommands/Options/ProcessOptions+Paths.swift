import AudioFiles
import CommandLineKit
import Engine
import SoundOptions

extension ProcessOptions {
  /// Warning if the name of the output stands for another kind of file than the one that is written.
  var warningOfName: String? {
    guard jobs.count == 1, case .file(let path, let kind) = jobs[0].output, let named = AudioContainer(path: path),
      // Opus is in Ogg files, too.
      named != kind, (named, kind) != (.ogg, .opus)
    else { return nil }
    return "\(path): the name says \(named.rawValue), but the file will be \(kind.rawValue), as --format says; "
      + "programs that go by the name will not read it"
  }

  /// Checks that results would destroy neither inputs nor each other.
  ///
  /// - Throws: a usage failure, one sentence.
  func checkPaths(lists: [String]) throws(CommandFailure) {
    var claims = OutputConflicts(advice: "process them one by one")
    for job in jobs { if let input = job.input { claims.reads(input) } }
    for path in lists { claims.reads(path, as: "list of inputs") }
    for speaker in speakers { claims.reads(speaker.path, as: "file of --user") }
    if let listenerPath { claims.reads(listenerPath, as: "file of --local") }
    if let music { claims.reads(music.path, as: "file of --mix") }
    for effect in effects { claims.reads(effect.path, as: "file of --effect") }
    for job in jobs {
      let owner = job.input?.name ?? "the speakers"
      if let path = job.reportPath { try claims.writes(path, as: "report", of: owner) }
      for table in job.tables { try claims.writes(table.path, as: "table", of: owner) }
      if let path = job.picturePath { try claims.writes(path, as: "picture", of: owner) }
      switch job.output {
      case .none: break
      case .standardOutput: try claims.writesStandardOutput(of: owner)
      case .file(let path, _): try claims.writes(path, as: "output", of: owner, followsLinks: true)
      }
    }
  }
}
