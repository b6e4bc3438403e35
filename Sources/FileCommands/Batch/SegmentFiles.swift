import AudioFiles
import CommandLineKit
import Glibc
import JSON
import OfflineProcessing
import Platform
import SoundOptions

/// Segments of speech of one file: a list as JSON lines, and a sound file for each.
struct SegmentFiles {
  /// Folder of all outputs.
  let outputs: String
  /// Folder of the cut files below it.
  let folder: String
  /// Name of the list below the folder of outputs.
  let list: String

  /// Creates the files of an output's name without its extension.
  init(outputs: String, stem: String) {
    self.outputs = outputs
    folder = stem + ".segments"
    list = stem + ".segments.jsonl"
  }

  /// Cuts the segments out of a file and writes the list.
  ///
  /// - Parameters:
  ///   - segments: segments of the file, in order.
  ///   - source: path of the file.
  /// - Returns: names of the cut files, below the folder of outputs.
  /// - Throws: `AudioFileError`, and `CommandFailure` for the list.
  func write(_ segments: SpooledRows<SpeechSegment>, of source: String) throws -> [String] {
    try makeEmpty()
    let reader = try AudioFileReader.open(path: source)
    // A second coding would lose more.
    let container = reader.container.sampleFormats.isEmpty || reader.container == .raw ? .wav : reader.container
    var names: [String] = []
    var lines: [String] = []
    for segment in segments {
      let digits = String(names.count + 1)
      let number = String(repeating: "0", count: max(0, 4 - digits.utf8.count)) + digits
      let name = "\(folder)/\(number).\(container.rawValue)"
      try reader.seek(to: segment.startPosition)
      try SoundCut.copy(
        reader, count: segment.endPosition - segment.startPosition, to: "\(outputs)/\(name)", container: container)
      names.append(name)
      var json = JSONWriter()
      json.object { json in
        json.field("schema", 1)
        json.field("index", names.count)
        json.field("start_s", segment.startSeconds, decimals: 4)
        json.field("end_s", segment.endSeconds, decimals: 4)
        json.field("path", name)
      }
      lines.append(json.text)
    }
    try ResultFile(path: "\(outputs)/\(list)", mayReplace: true).writeLines(lines)
    return names
  }

  /// Makes the folder of the cut files, or removes those of an earlier run.
  private func makeEmpty() throws(CommandFailure) {
    let path = "\(outputs)/\(folder)"
    if mkdir(path, 0o777) == 0 { return }
    guard errno == EEXIST, let names = folderNames(path) else {
      throw CommandFailure(sound: AudioFileError(.create(errno), path: path))
    }
    // Cut files have a number as their name.
    for name in names where name.utf8.first.map({ (0x30...0x39).contains($0) }) == true { unlink("\(path)/\(name)") }
  }
}
