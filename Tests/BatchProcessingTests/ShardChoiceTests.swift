import TestSupport
import Testing

@testable import BatchProcessing

@Suite("ShardChoice", .timeLimit(.minutes(10)))
struct ShardChoiceTests {
  private func text(_ option: String?, _ count: Int?, _ environment: [String: String]) -> String {
    do throws(BatchError) {
      let choice = try ShardChoice(option: option, count: count, environment: { environment[$0] })
      return "\(choice.shard.text) \(choice.origin ?? "-")"
    } catch {
      return "\(error.exitStatus)"
    }
  }

  private func slurm(_ id: Int, _ minimum: Int, _ count: Int, step: Int? = nil) -> [String: String] {
    var environment = [
      "SLURM_ARRAY_TASK_ID": "\(id)", "SLURM_ARRAY_TASK_MIN": "\(minimum)", "SLURM_ARRAY_TASK_COUNT": "\(count)",
    ]
    if let step { environment["SLURM_ARRAY_TASK_STEP"] = "\(step)" }
    return environment
  }

  @Test("options come before the environment", .shows("batch: shard"))
  func options() {
    #expect(text(nil, nil, [:]) == "1/1 -")
    #expect(text("3/16", nil, slurm(1, 1, 4)) == "3/16 --shard")
    #expect(text("3/16", 16, [:]) == "3/16 --shard")
    for wrong in ["0/4", "5/4", "1", "1/0", "1/4/4", "-1/4", "a/b", "1/100000"] {
      #expect(text(wrong, nil, [:]) == "64")
    }
    #expect(text("3/16", 15, [:]) == "64")
    #expect(text(nil, 4, [:]) == "64")
  }

  @Test("a Slurm array has tasks from any number on, in any steps", .shows("batch: shard"))
  func arrays() {
    // sbatch --array=1-4, 0-3, 10-16:2
    #expect((1...4).map { text(nil, nil, slurm($0, 1, 4, step: 1)) } == (1...4).map { "\($0)/4 SLURM_ARRAY_TASK_ID" })
    #expect((0...3).map { text(nil, nil, slurm($0, 0, 4)) } == (1...4).map { "\($0)/4 SLURM_ARRAY_TASK_ID" })
    #expect(
      [10, 12, 14, 16].map { text(nil, 4, slurm($0, 10, 4, step: 2)) } == (1...4).map { "\($0)/4 SLURM_ARRAY_TASK_ID" })
    // sbatch --array=1,2,9
    #expect(text(nil, nil, slurm(9, 1, 3, step: 1)) == "64")
    // --array=1,3,5,9: Slurm gives 1 as the step, and the largest number.
    for id in [1, 3, 5, 9] {
      #expect(text(nil, nil, slurm(id, 1, 4, step: 1).merging(["SLURM_ARRAY_TASK_MAX": "9"]) { $1 }) == "64")
    }
    #expect(text(nil, nil, slurm(11, 10, 4, step: 2)) == "64")
    #expect(text(nil, 5, slurm(1, 1, 4)) == "64")
    #expect(text(nil, nil, ["SLURM_ARRAY_TASK_ID": "1"]) == "64")
    #expect(text(nil, nil, slurm(1, 1, 4).merging(["SLURM_ARRAY_TASK_ID": "x"]) { $1 }) == "64")
  }

  @Test(
    "an index of Kubernetes and AWS counts from 0 and needs a number", .shows("batch: shard"),
    arguments: ["JOB_COMPLETION_INDEX", "AWS_BATCH_JOB_ARRAY_INDEX"])
  func indices(variable: String) {
    #expect(text(nil, 16, [variable: "0"]) == "1/16 \(variable)")
    #expect(text(nil, 16, [variable: "15"]) == "16/16 \(variable)")
    #expect(text(nil, 16, [variable: "16"]) == "64")
    #expect(text(nil, nil, [variable: "0"]) == "64")
    #expect(text("1/1", nil, [variable: "3"]) == "1/1 --shard")
  }

  @Test("an AWS array says its size itself", .shows("batch: shard"))
  func awsSize() {
    let environment = ["AWS_BATCH_JOB_ARRAY_INDEX": "3", "AWS_BATCH_JOB_ARRAY_SIZE": "8"]
    #expect(text(nil, nil, environment) == "4/8 AWS_BATCH_JOB_ARRAY_INDEX")
    #expect(text(nil, 8, environment) == "4/8 AWS_BATCH_JOB_ARRAY_INDEX")
    #expect(text(nil, 4, environment) == "64")
  }
}
