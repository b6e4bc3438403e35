import AudioFiles
import AudioGraph
import Engine
import ExampleSupport
import Playback

/// Plays effects by key: a score of lines `SECONDS KEY` on stdin becomes a file.
///
///     Soundboard OUT.wav a=FILE b=FILE ... < SCORE
///
/// In a live program the same calls play at once, without `atPosition`, and `preloadEffect` keeps the disk out of it.
@main
enum Soundboard {
  private static let rate = 48_000

  static func main() { Example.run(play) }

  private static func play() throws {
    let arguments = CommandLine.arguments.dropFirst()
    guard let output = arguments.first, arguments.count > 1 else {
      Example.explain("usage: Soundboard OUT.wav KEY=FILE ... < SCORE", isError: arguments.first != "--help")
    }
    var sounds: [Substring: String] = [:]
    for argument in arguments.dropFirst() {
      let parts = argument.split(separator: "=", maxSplits: 1)
      guard parts.count == 2 else { Example.explain("'\(argument)' is no KEY=FILE", isError: true) }
      sounds[parts[0]] = String(parts[1])
      // Before anything is written.
      _ = try AudioFileInfo(path: String(parts[1]))
    }
    let pipeline = try AudioPipeline(PipelineOptions(sampleRate: rate, isLossless: true))
    pipeline.onEvent { event in
      switch event.kind {
      case .effectFinished(let number): print("\(number) has ended at \(event.time)")
      case .effectInterrupted(let number): print("\(number) has broken off at \(event.time)")
      default: break
      }
    }
    let format = try AudioFormat(sampleRate: rate, channelCount: 2)
    let writer = try AudioFileOutput.create(
      path: output, format: format, options: OutputOptions(sampleFormat: .int16, overwrite: true))
    let sink = try FileSink(writer, sampleRate: rate, onRelease: pipeline.bell) { [weak pipeline] in
      pipeline?.endPosition
    }
    try pipeline.addSink(sink)

    // One number for each stroke, so that a key pressed twice is heard twice.
    var stroke = 0
    while let line = readLine() {
      let words = line.split(separator: " ")
      guard words.count == 2, let seconds = Double(words[0]), (0..<86_400).contains(seconds),
        let path = sounds[words[1]]
      else {
        print("'\(line)' is no SECONDS of a day and KEY of the board")
        continue
      }
      stroke += 1
      try pipeline.playEffect(stroke, SoundEffect(path: path), atPosition: Int(seconds * Double(rate)))
    }
    try pipeline.runToEnd()
    try sink.finish()
    print("\(stroke) strokes, \(sink.samplesPerChannelWritten) samples in \(output)")
  }
}
