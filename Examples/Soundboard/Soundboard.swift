import AudioPipe

/// Plays effects by key: a score of lines `SECONDS KEY` on stdin becomes a file.
///
///     Soundboard OUT.wav a=FILE b=FILE ... < SCORE
///
/// In a live program the same calls play at once, without `atPosition`, and `preloadEffect` keeps the disk out of it.
@main
enum Soundboard {
  private static let rate = 48_000

  static func main() async { await Program.run(play) }

  private static func play() async throws {
    let arguments = CommandLine.arguments.dropFirst()
    guard let output = arguments.first, arguments.count > 1 else {
      Program.showUsage("usage: Soundboard OUT.wav KEY=FILE ... < SCORE")
    }
    var sounds: [Substring: String] = [:]
    for argument in arguments.dropFirst() {
      let parts = argument.split(separator: "=", maxSplits: 1)
      guard parts.count == 2 else { Program.showUsage("'\(argument)' is not KEY=FILE") }
      sounds[parts[0]] = String(parts[1])
      // Before anything is written.
      _ = try AudioFileInfo(path: String(parts[1]))
    }
    let pipeline = try AudioPipeline(mode: .offline, sampleRate: rate)
    pipeline.onEvent { event in
      switch event.kind {
      case .effectFinished(let number): print("\(number) has ended at \(event.time)")
      case .effectInterrupted(let number): print("\(number) has broken off at \(event.time)")
      default: break
      }
    }
    let sink = try pipeline.addSink(.file(output, overwrite: true))

    // One number for each stroke, so that a key pressed twice is heard twice.
    var stroke = 0
    while let line = readLine() {
      let words = line.split(separator: " ")
      guard words.count == 2, let seconds = Double(words[0]), (0..<86_400).contains(seconds),
        let path = sounds[words[1]]
      else {
        print("'\(line)' is not SECONDS of a day and a KEY of the board")
        continue
      }
      stroke += 1
      try pipeline.playEffect(stroke, SoundEffect(path: path), atPosition: Int(seconds * Double(rate)))
    }
    try await pipeline.run()
    print("\(stroke) strokes, \(sink.samplesPerChannelWritten) samples in \(output)")
  }
}
