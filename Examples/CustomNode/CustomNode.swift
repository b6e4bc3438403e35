import AudioPipe

/// Runs a graph of one's own, file to file, with a node of one's own in it: CustomNode [FILE] [OUT]
@main
enum CustomNode {
  static func main() { Program.run(tremble) }

  private static func tremble() throws {
    let arguments = CommandLine.arguments.dropFirst()
    let reader = try AudioFileReader.open(path: arguments.first ?? "/usr/share/sounds/alsa/Front_Center.wav")
    let format = reader.format
    let writer = try AudioFileOutput.create(
      path: arguments.dropFirst().first ?? "out/custom-node.wav", format: format,
      options: OutputOptions(sampleFormat: reader.sampleFormat, overwrite: true))

    // Rung by the threads that read and write, when a tick may have become possible.
    let bell = Doorbell()
    let source = try FileSource(reader, sampleRate: format.sampleRate, uid: 1, ready: bell)
    let sink = try FileSink(
      writer, sampleRate: format.sampleRate, onRelease: bell, endPosition: { source.endPosition })

    let graph = try Graph(sampleRate: format.sampleRate)
    let file = try graph.add(source.node, named: "file")
    let tremolo = try graph.add(
      Tremolo(hertz: 6, channelCount: format.channelCount, sampleRate: format.sampleRate), named: "tremolo")
    let out = try graph.add(sink.node, named: "out")
    try graph.connect(file, to: tremolo)
    try graph.connect(tremolo, to: out)

    let runner = GraphRunner(sampleRate: format.sampleRate)
    try runner.install(graph)
    while !source.isExhausted {
      if source.isReady, sink.isReady {
        runner.tick(timeNanoseconds: runner.tickCount * 10_000_000)
      } else {
        source.requestMore()
        sink.requestCapacity()
        bell.wait(atMostMilliseconds: 100)
      }
    }
    try sink.finish()
    print("\(sink.samplesPerChannelWritten) samples in \(runner.tickCount) ticks of \(runner.plan!.stepCount) steps")
  }
}
