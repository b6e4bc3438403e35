import AudioPipe

/// Records the callers at an RTP port, each apart and all together: CallRecorder ADDRESS FOLDER SECONDS
@main
enum CallRecorder {
  static func main() async { await Program.run(record) }

  private static func record() async throws {
    let arguments = Array(CommandLine.arguments.dropFirst())
    guard arguments.count == 3, let seconds = Int(arguments[2]) else {
      Program.showUsage("usage: CallRecorder ADDRESS FOLDER SECONDS")
    }
    let pipeline = try AudioPipeline(channelCount: 1)
    let options = RTPEndpointOptions(sending: .nothing, reusesUsers: false)
    let endpoint = try RTPEndpoint(pipeline, at: arguments[0], options: options)
    endpoint.onEvent { print($0) }
    pipeline.onEvent { event in
      if case .recordingFailed(let path, let reason) = event.kind { print("\(path): \(reason)") }
    }
    try pipeline.recorder.start([.eachUser: "\(arguments[1])/user.wav", .mixed: "\(arguments[1])/mixed.wav"])
    try pipeline.start()
    try endpoint.start()
    try await Task.sleep(for: .seconds(seconds))
    endpoint.stop()
    pipeline.stop()
  }
}
