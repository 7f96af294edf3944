#include "command_internal.hpp"
#include "workload_options_internal.hpp"

namespace gpu_advisor::commands {
namespace {

std::vector<Option> joined(std::initializer_list<std::vector<Option>> lists) {
  std::vector<Option> all;
  for (const auto& list : lists)
    all.insert(all.end(), list.begin(), list.end());
  return all;
}

std::vector<Option> recommend_options() {
  return joined(
      {workload_options(),
       limit_options(),
       layout_options(),
       {{"--optimize", "", Arity::one, "cost|speed|balanced|energy", "What counts most"},
        {"--weights", "", Arity::one, "LIST", "cost=0.5,speed=0.3,… instead of --optimize"},
        {"--rules", "", Arity::many, "FILE", "Rules over the built-in ones, by id"},
        {"--solve", "", Arity::one, "context|micro-batch|concurrency",
         "The largest that fits the first choice"},
        {"--top", "", Arity::one, "N", "Rows shown (default 10)"},
        {"--explain", "", Arity::flag, "", "Score parts and near misses too"}}});
}

std::vector<Option> estimate_options() {
  return joined(
      {workload_options(),
       layout_options(),
       {{"--gpu", "", Arity::one, "NAME", "GPU"},
        {"--gpus", "", Arity::one, "N", "Count over all nodes (default 1)"},
        {"--interconnect", "", Arity::one, "nvlink|nvswitch|nvl72|pcie",
         "Between the GPUs of a node"},
        {"--network", "", Arity::one, "ib|roce|efa|ethernet|omni-path", "Between nodes"},
        {"--network-gbps", "", Arity::one, "GBIT", "Gbit/s of a node"},
        {"--batch", "", Arity::one, "FILE",
         "Answer NDJSON workload objects, one line each (- is stdin)"},
        {"--jobs", "", Arity::one, "N", "Threads of a batch (default 1)"},
        {"--calibration", "", Arity::many, "FILE", "Constants over the built-in ones"},
        {"--solve", "", Arity::flag, "", "The largest context, micro-batch and concurrency too"},
        {"--explain", "", Arity::flag, "", "Each part with its formula and source"}}});
}

const std::vector<Option>& list_options() {
  static const std::vector<Option> kOptions{
      {"--sort", "", Arity::one, "KEY", "Order of the rows"},
      {"--limit", "", Arity::one, "N", "Rows shown"},
      {"--min-vram", "", Arity::one, "GIB", "Memory per GPU, at least"},
  };
  return kOptions;
}

std::vector<Option> gpus_options() {
  return joined({list_options(),
                 {{"--vendor", "", Arity::many, "NAME", "Only these makers"},
                  {"--family", "", Arity::many, "NAME", "datacenter, workstation, geforce-rtx, …"},
                  {"--gpu", "", Arity::many, "PATTERN", "Only these"}}});
}

std::vector<Option> offers_options() {
  return joined(
      {list_options(),
       {{"--provider", "", Arity::many, "NAME", "Only these providers"},
        {"--region", "", Arity::many, "NAME", "Only these regions"},
        {"--gpu", "", Arity::many, "PATTERN", "Only these GPUs"},
        {"--pricing", "", Arity::one, "on-demand|spot|reserved-1y|reserved-3y",
         "Price shown and sorted by"},
        {"--all", "", Arity::flag, "", "Rows without a price, flagged and retired ones too"}}});
}

std::vector<Option> models_options() {
  return {{"--sort", "", Arity::one, "name|size", "Order of the rows"},
          {"--limit", "", Arity::one, "N", "Rows shown"},
          {"--modality", "", Arity::many, "NAME",
           "text, vision, vision-language, diffusion, embedding, encoder, audio"},
          {"--family", "", Arity::many, "NAME", "Only these families"},
          {"--licence", "--license", Arity::many, "NAME", "Only these licences (globs)"},
          {"--min-size", "", Arity::one, "COUNT", "Parameters, at least: 7B"},
          {"--max-size", "", Arity::one, "COUNT", "Parameters, at most"}};
}

std::vector<Option> catalog_options() {
  return {{"--import-format", "", Arity::one, "accelerators-csv|offers-csv|models-csv",
           "What the CSV files hold (import)"},
          {"--output", "", Arity::one, "DIR", "Where imported files go (import)"},
          {"--apply", "", Arity::flag, "", "Copy into the user's data folder (update)"}};
}

}  // namespace

const std::vector<Command>& command_table() {
  static const std::vector<Command> kCommands{
      {"recommend", "Which GPU, instance and layout for a workload, ranked, with reasons",
       "[OPTIONS]",
       "  gpu-advisor recommend --params 7B --budget 2\n"
       "  gpu-advisor recommend --params 13B --method qlora --gpu 'RTX 3090'\n"
       "  gpu-advisor recommend --model resnet50 --task vision-train --gpu V100 --gpu T4 "
       "--provider aws\n",
       recommend_options(), run_recommend},
      {"estimate", "Memory and speed of one workload on one named GPU",
       "--gpu NAME [OPTIONS] | --batch FILE",
       "  gpu-advisor estimate --model llama-3-8b --gpu 'RTX 4090' --quant q4_k_m\n"
       "  gpu-advisor estimate --batch - < workloads.ndjson\n",
       estimate_options(), run_estimate},
      {"compare",
       "GPUs or instances side by side",
       "NAME NAME …",
       "  gpu-advisor compare A100-80GB H100-80GB 'RTX 4090'\n",
       {},
       run_compare},
      {"gpus", "List accelerators; `gpus show NAME` for one", "[list|show NAME] [OPTIONS]",
       "  gpu-advisor gpus --min-vram 24 --sort price-per-gpu\n  gpu-advisor gpus show T4\n",
       gpus_options(), run_gpus},
      {"offers", "List instances with prices; `offers show ID` for one", "[list|show ID] [OPTIONS]",
       "  gpu-advisor offers --gpu H100 --provider aws\n", offers_options(), run_offers},
      {"models", "List model presets; `models show NAME|FILE|DIR` for one",
       "[list|show MODEL] [OPTIONS]",
       "  gpu-advisor models --modality text --max-size 10B\n  gpu-advisor models show llama-3-8b "
       "--json\n",
       models_options(), run_models},
      {"rules",
       "List the rules; `rules show ID` for one",
       "[list|show ID]",
       "  gpu-advisor rules show bf16-before-ampere\n",
       {{"--rules", "", Arity::many, "FILE", "Rules over the built-in ones, by id"}},
       run_rules},
      {"catalog", "The data: info, validate, import, diff", "info|validate|import FILE…|diff DIR",
       "  gpu-advisor catalog info\n  gpu-advisor catalog import --import-format offers-csv "
       "--output DIR *.csv\n",
       catalog_options(), run_catalog},
      {"calibrate",
       "Fit the constants of speed to measurements",
       "--output FILE CSV …",
       "  gpu-advisor calibrate --output own.json runs.csv\n",
       {{"--output", "", Arity::one, "FILE", "Calibration file to write"},
        {"--leave-out", "", Arity::many, "SOURCE", "Sources that do not count (globs)"}},
       run_calibrate},
      {"completion",
       "Completion script for a shell",
       "bash|zsh|fish",
       "  source <(gpu-advisor completion bash)\n",
       {},
       run_completion},
      {"schema",
       "JSON Schema of a data file or an answer",
       "[NAME]",
       "  gpu-advisor schema recommendation\n",
       {},
       run_schema},
      {"version", "Program, catalog date and schema versions", "", "", {}, run_version},
  };
  return kCommands;
}

}  // namespace gpu_advisor::commands
