import CommandTestSupport
import Foundation
import Testing

@testable import CommandLineKit
@testable import Commands
@testable import FileCommands
@testable import JSON
@testable import SoundOptions

@Suite(.timeLimit(.minutes(10))) struct JobOutcomesTests {
  @Test("every input has its result, its error or its cancellation")
  func all() throws {
    let outcomes = JobOutcomes(
      jobs: ["a", "b", "c"],
      outcomes: [.success(7), .failure(CommandFailure(.badData, "b: no")), nil] as [Result<Int, CommandFailure>?])
    var json = JSONWriter()
    json.object { outcomes.write(&$0, name: \.self) { json, value, _ in json.field("value", value) } }
    let object = try #require(JSONSerialization.jsonObject(with: Data(json.text.utf8)) as? [String: Any])
    let jobs = try #require(object["jobs"] as? [[String: Any]])
    #expect(jobs.count == 3 && jobs[0]["value"] as? Int == 7)
    let errors = jobs.map { ($0["error"] as? [String: Any])?["exit_code"] as? Int }
    #expect(errors == [nil, 65, 130])
    #expect((jobs[2]["input"] as? [String: Any])?["path"] as? String == "c")
  }
}
